import Type, { type TOptional, type TProperties, type TSchema } from "typebox";
import { integer, named } from "../../../platform/http/schema.js";

/** What a list of ours is asked for: all that the API's is, by cursor alone, since pages by number end. */
export function byCursor<Properties extends TProperties & { page: TSchema }>({ page: _, ...others }: Properties) {
  return Type.Object(others as Omit<Properties, "page">);
}

/** A list as our pages read it, whatever it is of: the next slice follows its last row, by `starting_after_id`. */
export const slicesOf = <Row extends TSchema, Beside extends TProperties>(name: string, row: Row, beside?: Beside) =>
  named(
    name,
    Type.Object({
      ...(beside as Beside),
      data: Type.Array(row),
      total: integer({ minimum: 0, description: "All that match." }),
      total_estimated: Type.Optional(
        Type.Literal(true, { description: "There are more than 20,000 matches; `total` is an estimate." }),
      ) as TOptional<ReturnType<typeof Type.Literal<true>>>,
      has_more: Type.Boolean(),
    }),
  );
