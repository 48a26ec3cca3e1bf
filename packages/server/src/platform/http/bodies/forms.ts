import { isUtf8 } from "node:buffer";
import qs from "qs";
import type { App } from "../app.js";
import { assertStorable } from "../door.js";
import { problems } from "../problems.js";

const form_type = "application/x-www-form-urlencoded";

/** Adds operations that take a form and nothing else (platform.md §11.4). */
export function addFormRoutes(app: App, addRoutes: (forms: App) => void): void {
  // A plugin of its own, so that the other operations go on refusing forms.
  void app.register((forms, _options, done) => {
    forms.removeAllContentTypeParsers();
    forms.addContentTypeParser(form_type, { parseAs: "buffer" }, async (_request: unknown, body: Buffer) =>
      readForm(body),
    );
    addRoutes(forms as unknown as App);
    done();
  });
}

/** The fields by name. One that is sent twice becomes a list, which a schema that wants a text refuses. */
function readForm(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw problems.invalidPayload("Payload is not UTF-8");
  const fields = qs.parse(bytes.toString("utf8"), { depth: 1, parameterLimit: 100 });
  assertStorable(fields, problems.invalidPayload);
  return fields;
}
