declare module "pg/lib/utils.js" {
  /** A parameter as it goes to the server: bytes as they are, all else as text. */
  export function prepareValue(value: unknown): Buffer | string | null;
}
