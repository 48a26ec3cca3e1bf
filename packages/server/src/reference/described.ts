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
}
