declare module "fastify" {
  interface FastifyRequest {
    /** How a JSON body begins, as it was sent; null where there is none. */
    body_head: Buffer | null;
  }
}

/** Of a body, what logs may show. */
export const head_bytes_max = 16_384;

/** The body's beginning, without holding the rest of a large one. */
export const headOf = (body: Buffer): Buffer | null => {
  if (body.length === 0) return null;
  return body.length <= head_bytes_max ? body : Buffer.from(body.subarray(0, head_bytes_max));
};
