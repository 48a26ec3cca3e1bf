import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin, transformWithOxc } from "vite";

const service = "http://127.0.0.1:3000";
const bootFile = fileURLToPath(new URL("src/boot.ts", import.meta.url));

/**
 * `boot.ts` as a file of its own that runs before the first paint: a script of the page's own kind would wait for the whole page, and
 * one inside the page is what our Content-Security-Policy keeps out.
 */
function boot(): Plugin {
  const head = (src: string) => [{ tag: "script", attrs: { src }, injectTo: "head-prepend" as const }];
  let reference = "";
  return {
    name: "guerdon-boot",
    async buildStart() {
      if (this.meta.watchMode) return;
      const { code } = await transformWithOxc(readFileSync(bootFile, "utf8"), bootFile);
      reference = this.emitFile({ type: "asset", name: "boot.js", source: code.replace("export {};", "") });
    },
    transformIndexHtml: {
      order: "post",
      handler: (_html, { bundle }) => {
        const built = Object.values(bundle ?? {}).find(({ fileName }) => fileName.startsWith("assets/boot-"));
        return head(built ? `/${built.fileName}` : "/src/boot.ts");
      },
    },
    generateBundle() {
      this.getFileName(reference);
    },
  };
}

export default defineConfig({
  plugins: [react(), boot()],
  build: { manifest: true, target: "es2022", assetsInlineLimit: 0, modulePreload: { polyfill: false } },
  server: {
    // Everything but our own files is the service's.
    proxy: { "^/(v1|client|management|dashboard|docs|openapi.json)(/|$)": { target: service, changeOrigin: false } },
  },
});
