import type { RuleEnvironment } from "@guerdon/engine";
import { refusals } from "../refusals.js";
import { type CompiledDefinition, compileDefinition } from "./compiled.js";
import { isCompared, type MetadataObject, type MetadataSchema } from "./definition.js";

type Metadata = Readonly<Record<string, unknown>>;

interface Compiled {
  definitions: ReadonlyMap<string, CompiledDefinition>;
  required: readonly string[];
  allow_defined_only: boolean;
}

/** What a refusal tells of at most, and how much of a value. */
const faults_max = 20;
const shown_length_max = 255;

/**
 * What a project says that metadata must look like, compiled (rules.md §16). Whatever is sent must fit, key by key, and what
 * is made must have all that is required; what is stored already stays as it is, and so do keys that an edit does not name.
 */
export class MetadataSchemas {
  private readonly schemas: ReadonlyMap<string, Compiled>;

  constructor(stored: readonly Pick<MetadataSchema, "related_object" | "properties" | "allow_defined_only">[]) {
    this.schemas = new Map(stored.map((schema) => [schema.related_object, compiled(schema)]));
  }

  /** Whether nothing is ever refused. */
  get is_empty(): boolean {
    return this.schemas.size === 0;
  }

  /** The keys that an object's metadata is said to have; null where nothing is said of it. */
  keysOf(object: MetadataObject): string[] | null {
    const schema = this.schemas.get(object);
    return schema ? [...schema.definitions.keys()] : null;
  }

  /** Of what type the values of an object's keys are, as far as that is said. */
  typesOf(object: MetadataObject): ReadonlyMap<string, Pick<CompiledDefinition, "type" | "is_array">> {
    return this.schemas.get(object)?.definitions ?? new Map();
  }

  /** Everything by which {@link typeOf} answers. */
  get types_text(): string {
    const compared = [...this.schemas].filter(([object]) => isCompared(object));
    const said = compared.map(([object, { definitions }]) => [
      object,
      [...definitions].map(([name, { type, object_type }]) => [name, type, object_type]),
    ]);
    return JSON.stringify(said);
  }

  /** As what a rule or a filter compares a property (rules.md §5); null where nothing is said of it. */
  readonly typeOf: NonNullable<RuleEnvironment["metadata_type"]> = (owner, property) =>
    // What a line does not have itself is read of its product.
    this.typeIn(owner, property) ?? (owner === "order_item" ? this.typeIn("product", property) : null);

  /** Found as its value is: the very name, else what the longest name before a dot holds. */
  private typeIn(object: string, property: string): CompiledDefinition["type"] | null {
    const { definitions } = this.schemas.get(object) ?? {};
    if (!definitions) return null;
    const own = definitions.get(property);
    if (own) return own.type;
    for (let dot = property.lastIndexOf("."); dot > 0; dot = property.lastIndexOf(".", dot - 1)) {
      const around = definitions.get(property.slice(0, dot));
      if (around?.object_type) return this.typeIn(around.object_type, property.slice(dot + 1));
    }
    return null;
  }

  /** Refuses metadata that breaks the schema of its object; of something made also what it lacks. */
  assertFits(
    object: MetadataObject | "event",
    metadata: Metadata | null | undefined,
    { is_made }: { is_made: boolean },
  ): void {
    const fault = this.faultOf(object, metadata, { is_made });
    if (fault !== null) throw refusals.invalidMetadata(fault);
  }

  /** What is wrong with it, for the report of a job; null: nothing. */
  faultOf(object: string, metadata: Metadata | null | undefined, { is_made }: { is_made: boolean }): string | null {
    const schema = this.schemas.get(object);
    if (!schema) return null;
    const faults: string[] = [];
    this.look(schema, metadata ?? {}, is_made, "", faults);
    return faults.length === 0 ? null : faults.join("; ");
  }

  private look(schema: Compiled, metadata: Metadata, is_made: boolean, path: string, faults: string[]): void {
    for (const key in metadata) {
      if (faults.length >= faults_max) return;
      const definition = schema.definitions.get(key);
      const value = metadata[key];
      if (definition) this.lookAt(definition, value, path + key, faults);
      else if (schema.allow_defined_only)
        faults.push(told(path + key, "property is not defined in the metadata schema", value));
    }
    if (!is_made) return;
    for (const key of schema.required) {
      if (faults.length >= faults_max) return;
      const { requirements = "" } = schema.definitions.get(key) ?? {};
      if (!Object.hasOwn(metadata, key)) faults.push(told(path + key, requirements, undefined));
    }
  }

  private lookAt(definition: CompiledDefinition, value: unknown, path: string, faults: string[]): void {
    if (value === null ? definition.is_required : !definition.fits(value)) {
      faults.push(told(path, definition.requirements, value));
      return;
    }
    const nested = definition.object_type === null ? undefined : this.schemas.get(definition.object_type);
    if (!nested || value === null) return;
    // An object takes the place of the whole one that was there, so it is made each time.
    if (!Array.isArray(value)) this.look(nested, value as Metadata, true, `${path}.`, faults);
    else for (const [i, element] of value.entries()) this.look(nested, element, true, `${path}.${i}.`, faults);
  }
}

function compiled({
  properties,
  allow_defined_only,
}: ConstructorParameters<typeof MetadataSchemas>[0][number]): Compiled {
  const definitions = new Map(
    Object.entries(properties)
      .filter(([, { deleted }]) => !deleted)
      .map(([name, definition]) => [name, compileDefinition(definition)]),
  );
  const required = [...definitions].filter(([, { is_required }]) => is_required).map(([name]) => name);
  return { definitions, required, allow_defined_only };
}

const told = (path: string, requirements: string, value: unknown) =>
  `${path}: ${requirements} (actual value is '${shown(value)}')`;

function shown(value: unknown): string {
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  return text.length > shown_length_max ? `${text.slice(0, shown_length_max)}…` : text;
}
