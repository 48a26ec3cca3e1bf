import Type, { type Static } from "typebox";
import { dateTime, integer, listOf, named, nullable, oneOf, text } from "../../platform/http/schema.js";

export const CategoryInput = named(
  "CategoryInput",
  Type.Object({
    name: text({ minLength: 1 }),
    hierarchy: integer({ minimum: 0, description: "The lower, the earlier it counts. May repeat." }),
  }),
);
export type CategoryInput = Static<typeof CategoryInput>;

export const CategoryBody = named(
  "Category",
  Type.Object({
    id: Type.String(),
    name: Type.String(),
    hierarchy: integer({ minimum: 0 }),
    object: Type.Literal("category"),
    created_at: dateTime(),
    updated_at: Type.Optional(dateTime()),
  }),
);
export type CategoryBody = Static<typeof CategoryBody>;

export const CategoryList = named("CategoryList", listOf("data", CategoryBody));

export const CategoryParams = Type.Object({ categoryId: text() });

export const CategoryDeleteQuery = Type.Object({
  remove_from_stacking_rules: Type.Optional(oneOf(["true", "false"])),
});

/** How another object names its category: by name or by id; null takes it away. */
export const category_naming = {
  category: Type.Optional(nullable(text({ description: "Name; an unknown one is created." }))),
  category_id: Type.Optional(nullable(text())),
};
