/**
 * Sets a language that the browser's number formats accept, because the plot library fails with any other.
 *
 * Under a POSIX locale browsers may report a language that they do not accept themselves ("en-US@posix"). Import this
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
