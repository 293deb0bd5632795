/** Encodes and decodes base64, in the standard and the URL-safe alphabet. */

export function decodeBase64(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
}

export function decodeFiles(files: Readonly<Record<string, string>>): Record<string, Uint8Array> {
  return Object.fromEntries(Object.entries(files).map(([path, base64]) => [path, decodeBase64(base64)]));
}

export function encodeBase64(bytes: Uint8Array): string {
  let text = "";
  for (let i = 0; i < bytes.length; i += 0x6000) text += btoa(String.fromCharCode(...bytes.subarray(i, i + 0x6000)));
  return text;
}

/** Encodes in the URL-safe alphabet, without padding. */
export function encodeBase64url(bytes: Uint8Array): string {
  return encodeBase64(bytes).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

export function decodeBase64url(text: string): Uint8Array<ArrayBuffer> {
  return decodeBase64(text.replaceAll("-", "+").replaceAll("_", "/"));
}
