/**
 * Replaces the browser's language with "en-US" if number formats do not accept it, because the plot library then fails.
 *
 * Under a POSIX locale a browser may report a language that it does not accept itself ("en-US@posix"). Import this
 * module before the plot library.
 */
function isAccepted(language: string): boolean {
  try {
    return Intl.NumberFormat.supportedLocalesOf(language).length >= 0;
  } catch {
    return false;
  }
}

if (!isAccepted(navigator.language)) Object.defineProperty(navigator, "language", { value: "en-US" });
