/**
 * An outcome that is thrown and meant: a refusal, a retry. It has no stack, since whatever the frames of a stack had at hand
 * lives as long as the error does: a refused batch would hold the rules it was refused for until all of it was answered.
 */
export class Expected extends Error {
  constructor(message?: string, options?: ErrorOptions) {
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(message, options);
    Error.stackTraceLimit = stackTraceLimit;
  }
}
