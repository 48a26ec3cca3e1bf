import { type Plugin, rolldown } from "rolldown";

/** What the bundler makes of a module of ours. */
export async function bundled(source: string, plugin: Plugin): Promise<string> {
  const id = "/any/packages/server/src/made.ts";
  const given: Plugin = {
    name: "given",
    resolveId: (asked) => (asked === id ? id : null),
    load: (asked) => (asked === id ? source : null),
  };
  const build = await rolldown({ input: id, plugins: [given, plugin] });
  const { output } = await build.generate({ format: "esm" });
  await build.close();
  return output[0].code;
}

/** What that module exports as `made`. */
export async function evaluated(source: string, plugin: Plugin): Promise<unknown> {
  const { made } = await import(`data:text/javascript,${encodeURIComponent(await bundled(source, plugin))}`);
  return made;
}
