/** The layout of a results table in Parquet, which the writer writes and the reader checks. */
import type { FileMetaData, SchemaElement } from "hyparquet";
import type { CellType, ResultColumn } from "./columns.ts";

export const RESULTS_FORMAT = { key: "escapement-results", version: "1" } as const;

const TYPES: Readonly<Record<CellType, Pick<SchemaElement, "type" | "converted_type">>> = {
  int32: { type: "INT32" },
  double: { type: "DOUBLE" },
  string: { type: "BYTE_ARRAY", converted_type: "UTF8" },
};

export function schemaOf(columns: readonly ResultColumn[]): SchemaElement[] {
  return [
    { name: "results", num_children: columns.length },
    ...columns.map(({ name, type, isOptional }) => ({
      name,
      ...TYPES[type],
      repetition_type: isOptional ? ("OPTIONAL" as const) : ("REQUIRED" as const),
    })),
  ];
}

/**
 * Returns true if the file has the layout that the writer writes. Check this before decoding anything: the library
 * decodes all columns concurrently, so with a wrong layout several decoders could fail, and only one failure would be
 * handled.
 */
export function hasLayout(metadata: FileMetaData, columns: readonly ResultColumn[]): boolean {
  const { schema, row_groups: groups, num_rows: rows } = metadata;
  const expected = schemaOf(columns);
  const isSchema =
    schema.length === expected.length &&
    expected.slice(1).every((wanted, i) => {
      const found = schema[i + 1]!;
      return (
        found.name === wanted.name &&
        found.type === wanted.type &&
        found.converted_type === wanted.converted_type &&
        found.repetition_type === wanted.repetition_type &&
        found.num_children === undefined
      );
    });
  const isGroup = (group: FileMetaData["row_groups"][0]): boolean =>
    group.columns.length === columns.length &&
    group.columns.every(({ meta_data: meta }, i) => {
      const path = meta?.path_in_schema;
      return (
        meta?.codec === "SNAPPY" &&
        meta.type === TYPES[columns[i]!.type].type &&
        meta.num_values === group.num_rows &&
        path?.length === 1 &&
        path[0] === columns[i]!.name
      );
    });
  const sum = groups.reduce((count, group) => count + Number(group.num_rows), 0);
  return isSchema && groups.every(isGroup) && sum === Number(rows);
}
