/**
 * Makes definitions of messages with float64 fields in the `ros2msg` language.
 *
 * After the four bytes of the CDR header, float64 values follow each other without gaps, so a row of numbers in memory
 * is already encoded. Field names are snake_case, as the language requires; one value is a scalar, several are an
 * array.
 */

export interface NumberField {
  readonly name: string;
  readonly size: number;
  /** Comment after the field in the definition. */
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
