import { grouped } from "../platform/lists/grouped.js";
import type { Described, DescribedOperation } from "./described.js";

/** What most come for, first; the rest follows by name. */
const first_groups = ["vouchers", "campaigns", "promotions", "validations", "qualifications", "redemptions"];
/** What few come for. */
const last_groups = ["client-side", "management", "dashboard", "system"];

interface Row {
  method: string;
  path: string;
  operation: DescribedOperation;
}

/** The page with every operation in it, closed: its parts are drawn by `page.js` when it is opened. */
export function referencePage({ paths = {} }: Described): string {
  const rows = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): Row => ({ method, path, operation })),
  );
  const groups = grouped(rows, groupOf);
  const names = [...groups.keys()].sort((one, other) => placeOf(one) - placeOf(other) || one.localeCompare(other));
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Guerdon API</title>
<link rel="stylesheet" href="/docs/page.css">
<script type="module" src="/docs/page.js"></script>
</head>
<body>
<header>
<a class="brand" href="/">Guerdon</a><h1>API reference</h1>
<input id="filter" type="search" placeholder="Filter ${rows.length} operations" aria-label="Filter operations">
<a href="/openapi.json">OpenAPI</a>
</header>
<nav aria-label="Groups">${names.map((name) => `<a href="#${name}">${wordsOf(name)} <small>${groups.get(name)?.length}</small></a>`).join("")}</nav>
<main>
<details class="keys"><summary>Your keys <small>for trying requests; kept in this tab alone</small></summary><form id="keys"></form></details>
${names.map((name) => groupSection(name, groups.get(name) ?? [])).join("\n")}
</main>
</body>
</html>
`;
}

const groupOf = ({ operation }: Row) => operation.tags?.[0] ?? "system";
const placeOf = (name: string) =>
  first_groups.includes(name) ? first_groups.indexOf(name) - 100 : last_groups.indexOf(name);
const wordsOf = (name: string) => name.charAt(0).toUpperCase() + name.slice(1).replaceAll("-", " ");

const groupSection = (name: string, rows: readonly Row[]) =>
  `<section id="${name}"><h2>${wordsOf(name)}</h2>\n${rows.map(operationRow).join("\n")}\n</section>`;

function operationRow({ method, path, operation: { operationId = "", summary = "" } }: Row): string {
  return `<details class="operation" id="${operationId}" data-method="${method}" data-path="${escaped(path)}"><summary><b class="${method}">${method}</b><code>${escaped(path)}</code><span>${escaped(summary)}</span></summary></details>`;
}

const escaped = (text: string) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/"/g, "&quot;");
