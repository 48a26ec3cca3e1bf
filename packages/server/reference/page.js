// Draws an operation of `/docs` when it is opened, and sends requests from it. Plain, so that nothing has to be built for it.

/** Which header each field of the keys fills in. */
const headers = [
  ...["X-App-Id", "X-App-Token", "X-Client-Application-Id", "X-Client-Token"],
  ...["X-Management-Id", "X-Management-Token", "X-Project-Id"],
];
/** How deep shapes are drawn; what is deeper is named. */
const depth_max = 4;

let loaded;
const load = () => {
  loaded ??= fetch("/openapi.json").then((answer) => answer.json());
  return loaded;
};

/** An element with what is in it; texts are texts, whatever they hold. */
function make(name, fields = {}, ...inside) {
  const element = Object.assign(document.createElement(name), fields);
  element.append(...inside.flat().filter((one) => one !== null && one !== undefined));
  return element;
}

for (const header of headers) {
  const secret = header.endsWith("Token");
  const field = make("input", { name: header, type: secret ? "password" : "text", autocomplete: "off" });
  field.value = sessionStorage.getItem(`docs ${header}`) ?? "";
  field.addEventListener("input", () => sessionStorage.setItem(`docs ${header}`, field.value));
  document.querySelector("#keys").append(make("label", {}, header, field));
}

document.querySelector("#filter").addEventListener("input", ({ target }) => {
  const words = target.value.toLowerCase().split(/\s+/);
  for (const section of document.querySelectorAll("section")) {
    const rows = [...section.querySelectorAll(".operation")];
    for (const row of rows) {
      const said = `${row.id} ${row.dataset.method} ${row.querySelector("summary").textContent}`.toLowerCase();
      row.hidden = !words.every((word) => said.includes(word));
    }
    section.hidden = rows.every((row) => row.hidden);
  }
});

// Details tell only themselves that they were opened.
document.addEventListener(
  "toggle",
  ({ target }) => {
    if (target.matches(".operation") && target.open) void draw(target);
  },
  true,
);

function openNamed() {
  const named = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (named?.matches(".operation")) named.open = true;
}
addEventListener("hashchange", openNamed);
openNamed();

async function draw(row) {
  if (row.querySelector(".inside")) return;
  const inside = make("div", { className: "inside" });
  row.append(inside);
  const api = await load();
  const { method, path } = row.dataset;
  const operation = api.paths[path][method];
  inside.append(told(api, operation), tried(api, operation, { method, path }));
}

/** What there is to read: parameters, the body, the answer, how it refuses. */
function told(api, operation) {
  const parameters = (operation.parameters ?? []).map((one) => field(api, one.name, one.schema, one, 1));
  const [body] = Object.values(operation.requestBody?.content ?? {});
  const [answer] = Object.values(operation.responses?.["200"]?.content ?? {});
  const errors = (operation["x-errors"] ?? []).map(({ status, key }) =>
    make("li", {}, `${status} `, make("code", { textContent: key }), " ", api["x-error-sentences"]?.[key] ?? ""),
  );
  return make("div", {}, [
    operation.description ? make("p", {}, prose(operation.description)) : null,
    ...part("Parameters", parameters),
    ...part("Body", body ? fields(api, body.schema, 0) : []),
    ...part("Answer", answer ? fields(api, answer.schema, 0) : []),
    ...part("Errors", errors),
  ]);
}

const part = (title, rows) => (rows.length === 0 ? [] : [make("h3", { textContent: title }), make("ul", {}, rows)]);

/** What a sentence says word for word stands between backticks. */
const prose = (text) => text.split("`").map((part, i) => (i % 2 === 1 ? make("code", { textContent: part }) : part));

/** The shape itself, of those that have a name or may be null. */
function shapeOf(api, schema = {}) {
  if (schema.$ref) return shapeOf(api, api.components.schemas[schema.$ref.split("/").at(-1)]);
  const others = schema.anyOf?.filter(({ type }) => type !== "null");
  return others?.length === 1 ? { ...shapeOf(api, others[0]), nullable: true } : schema;
}

function fields(api, schema, depth) {
  const shape = shapeOf(api, schema);
  if (shape.type === "array" || shape.items) return fields(api, shape.items, depth);
  if (shape.anyOf) return shape.anyOf.slice(0, 4).flatMap((one) => fields(api, one, depth));
  const required = new Set(shape.required ?? []);
  return Object.entries(shape.properties ?? {}).map(([name, property]) =>
    field(
      api,
      name,
      property,
      { required: required.has(name), description: shapeOf(api, property).description },
      depth + 1,
    ),
  );
}

function field(api, name, schema, { required, description }, depth) {
  const shape = shapeOf(api, schema);
  const values = shape.enum ? ` ${shape.enum.filter((one) => one !== null).join(" · ")}` : "";
  const said = [required ? "required" : "", typeOf(shape) + values, description ?? ""].filter(Boolean).join(" — ");
  const row = make("li", {}, make("code", { textContent: name }), " ", make("em", {}, prose(said)));
  const below = depth > depth_max ? [] : fields(api, schema, depth);
  if (below.length === 0) return row;
  return make("li", {}, make("details", {}, make("summary", {}, ...row.childNodes), make("ul", {}, below)));
}

const typeOf = ({ type, items, anyOf, const: only }) => {
  if (only !== undefined) return JSON.stringify(only);
  if (items) return "list";
  return [type ?? (anyOf ? "one of several" : "any")].flat().join(" or ");
};

/** The form that sends the request, and what came back. */
function tried(api, operation, { method, path }) {
  const parameters = (operation.parameters ?? []).filter((one) => one.in !== "header");
  const inputs = parameters.map((one) => {
    const input = make("input", { name: one.name, required: one.in === "path", value: one.example ?? "" });
    return { one, input, label: make("label", {}, one.name, input) };
  });
  const [[type, body] = []] = Object.entries(operation.requestBody?.content ?? {});
  const sent = body && JSON.stringify(body.example ?? skeletonOf(api, body.schema), null, 2);
  const text = body ? make("textarea", { value: sent, spellcheck: false, ariaLabel: "Body" }) : null;
  const shown = make("pre", { hidden: true });
  shown.setAttribute("aria-live", "polite");
  const in_path = inputs.filter(({ one }) => one.in === "path");
  const in_query = inputs.filter(({ one }) => one.in === "query");
  const query = make("details", {}, make("summary", { textContent: "Query" }), ...in_query.map(({ label }) => label));
  const send = make("button", { textContent: "Send" });
  const form = make("form", {}, [
    make("h3", { textContent: "Try it" }),
    ...in_path.map(({ label }) => label),
    in_query.length > 0 ? query : null,
    text,
    make("p", {}, send),
    shown,
  ]);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const filled = in_path.reduce(
      (all, { one, input }) => all.replace(`{${one.name}}`, encodeURIComponent(input.value)),
      path,
    );
    const asked = new URLSearchParams(
      in_query.flatMap(({ one, input }) => (input.value ? [[one.name, input.value]] : [])),
    );
    shown.hidden = false;
    shown.textContent = await answerTo(`${filled}${asked.size > 0 ? `?${asked}` : ""}`, {
      method: method.toUpperCase(),
      headers: { ...keysFor(operation), ...(text ? { "content-type": type } : {}) },
      ...(text ? { body: text.value } : {}),
    });
  });
  return form;
}

/** The keys that the operation asks for; nothing else is sent. */
function keysFor({ security = [] }) {
  const asked = new Set(security.flatMap((one) => Object.keys(one)));
  const is_session = asked.has("Session");
  return Object.fromEntries(
    headers.flatMap((header) => {
      const { value } = document.querySelector("#keys").elements[header];
      return value && (asked.has(header) || (header === "X-Project-Id" && is_session)) ? [[header, value]] : [];
    }),
  );
}

async function answerTo(url, request) {
  try {
    const answer = await fetch(url, request);
    const text = await answer.text();
    const is_json = answer.headers.get("content-type")?.includes("json");
    return `${answer.status} ${answer.statusText}\n\n${is_json ? JSON.stringify(JSON.parse(text), null, 2) : text}`;
  } catch (error) {
    return String(error);
  }
}

/** What must be sent at least, where no example stands. */
function skeletonOf(api, schema, depth = 0) {
  const shape = shapeOf(api, schema);
  if (shape.enum) return shape.enum[0];
  if (shape.items) return depth > 2 ? [] : [skeletonOf(api, shape.items, depth + 1)];
  if (shape.properties) {
    const names = shape.required ?? [];
    return Object.fromEntries(names.map((name) => [name, skeletonOf(api, shape.properties[name], depth + 1)]));
  }
  const type = [shape.type].flat()[0];
  return { string: "", integer: 0, number: 0, boolean: false }[type] ?? {};
}
