/** Parameters of a connection string that are no secret and help whoever looks for a mistake; all others may be. */
const shown_parameters = new Set(["sslmode", "host", "hostaddr", "port", "user", "dbname", "application_name"]);
const hidden = "***";

/**
 * A connection string as it may stand in a message: without its password, wherever that is, and without whatever else might
 * be one: parameters that are not known to be harmless, in name and value, and the rest of a string that is cut at a `/`,
 * `?` or `#` of a password that was not percent-encoded.
 */
export function shownUrl(url: string): string {
  if (!URL.canParse(url)) return hidden;
  const { protocol, username, password, host, pathname, search, searchParams, hash } = new URL(url);
  if (`${pathname}${search}${hash}`.includes("@")) return `${protocol}//${hidden}`;
  const login = [username, ...(password === "" ? [] : [hidden])].join(":");
  const parameters = [...searchParams].map(([name, value]) =>
    shown_parameters.has(name) ? `${name}=${encodeURIComponent(value)}` : hidden,
  );
  const query = parameters.length === 0 ? "" : `?${parameters.join("&")}`;
  return `${protocol}//${login === "" ? "" : `${login}@`}${host}${pathname}${query}`;
}
