import type { ValidateFunction } from "ajv";
import { type Compile, NamedShapes, type Shapes } from "./named-schemas.js";
import { closed } from "./response-check.js";
import { createAjv } from "./validation.js";

/** Applications of one process that have the same operations may share them: what one has compiled the others need not. */
export function createShapes(): Shapes {
  const named = new NamedShapes();
  return {
    named,
    bodies: compilerOf(named),
    queries: compilerOf(named, { coerceTypes: true }),
    answers: compilerOf(named, {}, closed),
  };
}

function compilerOf(
  named: NamedShapes,
  options: { coerceTypes?: boolean } = {},
  of: (shape: object) => object = (shape) => shape,
): Compile {
  let ajv: ReturnType<typeof createAjv> | undefined;
  const known = new Set<string>();
  const compiled = new Map<string, ValidateFunction>();
  return (shape) => {
    ajv ??= createAjv(options);
    // Those alone that are needed: to tell it of all of them takes 40 ms.
    for (const part of named.within(shape, known)) ajv.addSchema(of(named.behind(part)));
    const text = JSON.stringify(shape);
    const validate = compiled.get(text) ?? ajv.compile(of(shape));
    compiled.set(text, validate);
    return validate;
  };
}
