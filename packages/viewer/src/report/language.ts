/**
 * A language that the browser's own number formats accept, for the library that draws the plots, which stops at any other.
 *
 * Under a POSIX locale browsers may name one that they refuse themselves ("en-US@posix"). To be imported before that
 * library.
 */
function isAccepted(language: string): boolean {
  try {
    return Intl.NumberFormat.supportedLocalesOf(language).length >= 0;
  } catch {
    return false;
  }
}

if (!isAccepted(navigator.language)) Object.defineProperty(navigator, "language", { value: "en-US" });
