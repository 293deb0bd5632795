/** Text for XML 1.0. Characters that XML does not allow, even escaped, become the replacement character. */

/** Matches characters that XML 1.0 does not allow, including lone surrogates. */
const NOT_XML = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;

/** A case or message longer than this is cut, so that long texts in a campaign do not make the file large. */
const MAX_CHARACTERS = 4000;

export function contentText(text: string): string {
  return cut(text)
    .replace(NOT_XML, "\u{FFFD}")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll("\r", "&#13;");
}

/** Readers turn line ends in attributes into spaces unless they are escaped. */
export function attributeText(text: string): string {
  return contentText(text).replaceAll('"', "&quot;").replaceAll("\n", "&#10;").replaceAll("\t", "&#9;");
}

function cut(text: string): string {
  return text.length <= MAX_CHARACTERS ? text : `${text.slice(0, MAX_CHARACTERS)} …`;
}
