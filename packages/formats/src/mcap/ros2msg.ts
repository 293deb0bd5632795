/**
 * Messages of float64 fields: their definition in the `ros2msg` language and their place in CDR bytes.
 *
 * After the four bytes of CDR's own head, float64 values follow each other without gaps, so a row of our numbers is its
 * own encoding. Fields are snake_case as that language wants them; one value is a scalar, several a fixed array.
 */

export interface NumberField {
  readonly name: string;
  readonly size: number;
  /** Behind the field in the definition. */
  readonly comment?: string;
}

export function numberMessage(fields: readonly NumberField[]): string {
  const lines = fields
    .filter(({ size }) => size > 0)
    .map(({ name, size, comment }) => {
      const type = size === 1 ? "float64" : `float64[${size}]`;
      return `${type} ${snakeCase(name)}${comment === undefined ? "" : `  # ${comment.replace(/\s+/g, " ")}`}`;
    });
  return `${lines.join("\n")}\n`;
}

export function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`).replace(/[^a-z0-9_]/g, "_");
}
