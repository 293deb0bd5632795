/** Converts the values of a report page to bytes and back, little-endian on every machine. */

const SIZE = 4;

export function float32Bytes(values: Float32Array): Uint8Array {
  const view = new DataView(new ArrayBuffer(SIZE * values.length));
  values.forEach((value, i) => view.setFloat32(SIZE * i, value, true));
  return new Uint8Array(view.buffer);
}

export function float32Values(bytes: Uint8Array): Float32Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Float32Array.from({ length: Math.floor(bytes.length / SIZE) }, (_, i) => view.getFloat32(SIZE * i, true));
}
