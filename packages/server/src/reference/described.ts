/** An operation of the API's own description, as far as it is added to here. */
export interface DescribedOperation {
  operationId?: string;
  summary?: string;
  description?: string;
  tags?: string[];
  parameters?: { name: string; in: string; example?: unknown }[];
  requestBody?: { content: Record<string, { example?: unknown }> };
  security?: Record<string, unknown>[];
  "x-errors"?: readonly ErrorTold[];
}

/** How an operation may refuse. */
export interface ErrorTold {
  status: number;
  key: string;
}

export interface Described {
  paths?: Record<string, Record<string, DescribedOperation>>;
  components?: { schemas?: Record<string, unknown> };
}

/** A request that works, where those before it have been sent to a new project. */
export interface Example {
  id: string;
  /** What its path or query names: names of your own stand for ids wherever the API takes them. */
  path?: Record<string, string>;
  body?: unknown;
}
