import { setImmediate } from "node:timers/promises";
import { Ajv, type ErrorObject, type FuncKeywordDefinition, type ValidateFunction } from "ajv";
import type { FastifySchemaCompiler, FastifyServerOptions } from "fastify";
import type { FastifySchemaValidationError } from "fastify/types/schema.js";
import type { TSchema } from "typebox";
import { type Bounds, bounds, isNoLarger, largerThan } from "../../bounds.js";
import { slices } from "../../sharing/slices.js";
import { instantFrom, isDay } from "../dates.js";
import { type Problem, problems } from "../problems.js";
import { type BoundVariable, bounded_by } from "../schema.js";
import { type Compile, NamedShapes, type Shapes } from "./named-schemas.js";

const formats = {
  "date-time": (text: string) => instantFrom(text) !== null,
  date: isDay,
  /** A file of a form: its content is looked at by whoever takes it. */
  binary: true,
} as const;

/** Half of what compiling takes: our shapes are no strangers', and the code is as fast as it is made. */
const unneeded = { meta: false, validateSchema: false, code: { optimize: false } } as const;

/**
 * An Ajv as this service uses it: first violation only, nothing changed in what it looks at, and each named schema
 * compiled once instead of into everything that refers to it.
 */
export function createAjv(options: { coerceTypes?: boolean } = {}): Ajv {
  const ajv = new Ajv({ strict: false, formats, inlineRefs: false, ...unneeded, ...options });
  ajv.addKeyword({ keyword: bounded_by, type: ["object", "array"], validate: isBounded });
  return ajv;
}

const bound_of = {
  GUERDON_METADATA_BYTES: "metadata_bytes_max",
  GUERDON_RULE_BYTES: "rule_bytes_max",
  GUERDON_ORDER_BYTES: "order_bytes_max",
} as const satisfies Record<BoundVariable, keyof Bounds>;

const isBounded: FuncKeywordDefinition["validate"] = (by: BoundVariable, document: unknown) => {
  const bytes_max = bounds()[bound_of[by]];
  if (isNoLarger(document, bytes_max)) return true;
  // Where Ajv looks for what a keyword of others has found.
  Object.assign(isBounded ?? {}, { errors: [{ keyword: bounded_by, message: largerThan(bytes_max), params: {} }] });
  return false;
};

/** How the shapes of requests are checked. */
export interface Validators {
  factory: ValidatorFactory;
  /** Compiles what no request has needed yet, one shape or part of one a turn. */
  compileAll(): Promise<void>;
}

/**
 * Bodies are checked as they are: no coercion, no defaults, no silent removal. Queries and paths arrive as text,
 * so numbers and booleans are read from it. A shape is compiled with the first request that needs it: all of them
 * together are a quarter of what a start takes.
 */
export function createValidators({ bodies, queries, named }: Pick<Shapes, "bodies" | "queries" | "named">): Validators {
  const all: (() => Promise<ValidateFunction>)[] = [];

  const compile = ({ schema, httpPart }: Parameters<FastifySchemaCompiler<TSchema>>[0]): Check => {
    let validate: ValidateFunction | undefined;
    let compiling: Promise<ValidateFunction> | undefined;
    const compileIn = httpPart === "body" ? bodies : queries;
    const compiled = async () => {
      const parts = compiling ?? compiledByParts(named.within(schema), schema, compileIn);
      compiling = parts;
      validate = await parts;
      return validate;
    };
    all.push(compiled);
    const list = httpPart === "body" ? longListCheck(named.behind(schema), bodies) : undefined;
    const leaveOut = httpPart === "querystring" ? leavesOutUnknown(named.behind(schema)) : undefined;
    const check: Check = (value) => {
      leaveOut?.(value);
      if (list && Array.isArray(value) && value.length > checked_at_once) return list(value);
      if (!validate) return compiled().then((validate) => assertValid(validate, value, httpPart));
      const is_valid = validate(value);
      check.errors = validate.errors;
      return is_valid;
    };
    return check;
  };
  return {
    // Fastify's type knows no factories but those of its own two compilers.
    factory: (() => compile) as unknown as ValidatorFactory,
    async compileAll() {
      for (const compiled of all) await compiled();
    },
  };
}

/** Parameters that an operation does not know are ignored (platform.md §11.4): what reads a query meets none whose value nobody has checked. */
function leavesOutUnknown({ properties }: { properties?: object }): ((query: unknown) => void) | undefined {
  if (!properties) return undefined;
  return (query) => {
    for (const name of Object.keys(query ?? {}))
      if (!Object.hasOwn(properties, name)) delete (query as Record<string, unknown>)[name];
  };
}

/** What a shape refers to is compiled first, one a turn of everybody else: a shape of a hundred parts is one stretch of 70 ms otherwise. */
async function compiledByParts(parts: readonly object[], shape: object, compile: Compile): Promise<ValidateFunction> {
  for (const part of parts) {
    compile(part);
    await setImmediate();
  }
  return compile(shape);
}

function assertValid(validate: ValidateFunction, value: unknown, part: string | undefined): true {
  if (validate(value)) return true;
  throw violationProblem(violationsOf(validate), part);
}

/** Answers, or refuses, later where a list is long, or the shape is not compiled yet. */
interface Check {
  (value: unknown): boolean | Promise<true>;
  errors?: ValidateFunction["errors"];
}

/** Of a list, whatever they hold: metadata of 64 KB in many fields takes a millisecond to be measured. */
const checked_at_once = 10;

/** Checks a list item by item and lets others go on meanwhile: a hundred thousand rows are one stretch of 50 ms otherwise. */
function longListCheck(shape: object, compile: Shapes["bodies"]): ((values: unknown[]) => Promise<true>) | undefined {
  if (!("type" in shape && shape.type === "array" && "items" in shape)) return undefined;
  const { $id: _, items, ...around } = shape as { $id?: string; items: object };
  return async (values) => {
    const [isList, isItem] = [compile({ ...around, items: {} }), compile(items)];
    if (!isList(values)) throw violationProblem(violationsOf(isList), "body");
    const pause = slices();
    for (let i = 0; i < values.length; i += 1) {
      if (!isItem(values[i])) {
        const within = violationsOf(isItem).map((one) => ({ ...one, instancePath: `/${i}${one.instancePath}` }));
        throw violationProblem(within, "body");
      }
      await pause();
    }
    return true;
  };
}

const violationsOf = ({ errors }: ValidateFunction) => (errors ?? []) as FastifySchemaValidationError[];

type ValidatorFactory = NonNullable<
  NonNullable<NonNullable<FastifyServerOptions["schemaController"]>["compilersFactory"]>["buildValidator"]
>;

/** Checks what comes otherwise than as a body, a row of a file say, in the same words; null: it is well formed. */
export function shapeCheck(shape: TSchema): (value: unknown) => Problem | null {
  // Compiled with its first value: most processes never see one.
  let validate: ReturnType<Ajv["compile"]> | undefined;
  return (value) => {
    validate ??= compiledAlone(shape);
    return validate(value) ? null : violationProblem(violationsOf(validate), "body");
  };
}

/** By references, as those of routes are: Ajv takes no shape in which a named one stands twice. */
function compiledAlone(shape: TSchema): ValidateFunction {
  const [named, ajv] = [new NamedShapes(), createAjv()];
  const referring = named.referring(shape) as object;
  for (const part of named.within(referring)) ajv.addSchema(named.behind(part));
  return ajv.compile(referring);
}

/** Says the first violation as platform.md §11.2 words it. */
export function violationProblem(errors: readonly FastifySchemaValidationError[], part: string | undefined): Problem {
  const violation = errors[0] as ErrorObject | undefined;
  if (!violation) return problems.invalidPayload("Payload is not valid");
  if (part === "headers")
    return problems.invalidPayload(`Header ${violation.instancePath.slice(1)} ${violation.message}`);
  return part === "querystring" || part === "params"
    ? problems.invalidQuery(wording(violation, "Query"))
    : problems.invalidPayload(wording(orNull(violation, errors[1] as ErrorObject | undefined), "Payload"));
}

/** A named shape that may be null is refused in two steps, and told as one that has both types: `must be object,null`. */
function orNull(violation: ErrorObject, next: ErrorObject | undefined): ErrorObject {
  const [wanted, or] = [violation, next].map((one) => (one?.keyword === "type" ? one.params.type : undefined));
  if (!wanted || or !== "null" || violation.instancePath !== next?.instancePath) return violation;
  return { ...violation, message: `must be ${[wanted].flat().join(",")},null` };
}

function wording({ keyword, instancePath, params, message }: ErrorObject, whole: "Payload" | "Query"): string {
  const path = pathOf(instancePath);
  if (keyword === "required") {
    if (path !== "") return `Property ${path} should have required property '${params.missingProperty}'`;
    return `${whole} ${whole === "Query" ? "should" : "must"} have required property '${params.missingProperty}'`;
  }
  const subject = path === "" ? whole : `Property ${path}`;
  if (keyword === "format") return `${subject} cannot be recognized as a ISO-8601 compliant date`;
  if (keyword === "enum") {
    const allowed = params.allowedValues.filter((value: unknown) => value !== null);
    return `${subject} should be equal to one of the allowed values [${allowed.join(", ")}]`;
  }
  if (keyword === "not") return `${subject} is not supported`;
  return `${subject} ${message}`;
}

/** `/redeemables/1/id` becomes `.redeemables[1].id`. */
function pathOf(pointer: string): string {
  return pointer
    .split("/")
    .slice(1)
    .map((step) => step.replace(/~1/g, "/").replace(/~0/g, "~"))
    .map((step) => (/^\d+$/.test(step) ? `[${step}]` : `.${step}`))
    .join("");
}
