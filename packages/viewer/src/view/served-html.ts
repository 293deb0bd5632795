/** The HTML of the served viewer, its content security policy, and the frame that it shares with the one-file page. */

/** Marks a file as a page of this program. */
export const VIEW_MARK = '<meta name="generator" content="Escapement view">';

/** Content security policy of the served page; the server sends it as a header. */
export const SERVED_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "worker-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "connect-src 'self' ws://127.0.0.1:*",
  "font-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

export function servedHtml(version: string): string {
  return htmlFrame(version, [
    '<link rel="stylesheet" href="view.css">',
    '<script type="module" src="page.js"></script>',
    "</head>",
    "<body>",
  ]);
}

/** Puts the parts of a page into the common HTML. The parts must end the head and begin the body. */
export function htmlFrame(version: string, parts: readonly string[]): string {
  return [
    "<!doctype html>",
    '<html lang="en">',
    "<head>",
    '<meta charset="utf-8">',
    VIEW_MARK,
    `<meta name="version" content="${version}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<link rel="icon" href="data:,">',
    "<title>Escapement</title>",
    ...parts,
    "</body>",
    "</html>",
    "",
  ].join("\n");
}
