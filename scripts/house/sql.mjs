// What the checks know about SQL.
import ts from "typescript";
import { isTest, problemAt } from "./files.mjs";

export const isSqlTemplate = (node) => ts.isTaggedTemplateExpression(node) && node.tag.getText() === "sql";
const isText = (node) => ts.isStringLiteralLike(node) || ts.isTemplateExpression(node);

/** The text between the backticks, each interpolation as `$1`. */
function textOf(template) {
  if (ts.isStringLiteralLike(template)) return template.text;
  return template.head.text + template.templateSpans.map(({ literal }) => `$1${literal.text}`).join("");
}

const withoutComments = (text) => text.replace(/--[^\n]*|\/\*[\s\S]*?\*\//g, " ");
const isStatement = (text) =>
  /^[\s(]*(select|insert|update|delete|with|merge|truncate|copy)\b/i.test(withoutComments(text));
// Small or capital throughout: "Select one from the list" is a description.
const sqlShapes = [
  /^\s*(select\s.+\sfrom|insert\s+into|update\s.+\sset|delete\s+from|with\s.+\sas\s*\()/s,
  /^\s*(SELECT\s.+\sFROM|INSERT\s+INTO|UPDATE\s.+\sSET|DELETE\s+FROM|WITH\s.+\sAS\s*\()/s,
];
const looksLikeSql = (text) => sqlShapes.some((shape) => shape.test(withoutComments(text)));

/** Every text that is SQL: sql`…`, and strings that look like it. */
function sqlTexts(file) {
  return file.nodes.flatMap((node) => {
    if (isSqlTemplate(node)) return [{ node, text: textOf(node.template), tagged: true }];
    if (!isText(node) || (node.parent && isSqlTemplate(node.parent))) return [];
    const text = textOf(node);
    return looksLikeSql(text) ? [{ node, text, tagged: false }] : [];
  });
}

const sqlClock =
  /\b(now|clock_timestamp|statement_timestamp|transaction_timestamp|timeofday)\s*\(|\b(current_timestamp|current_date|current_time|localtimestamp|localtime)\b|'(now|today|tomorrow|yesterday)'/i;

// The clock that follows the database's, the migrations, which run before there is a clock, and how long was waited for locks.
const readsDatabaseClock = /^packages\/server\/src\/platform\/(clock|db\/migrate|db\/locks)(\.test)?\.ts$/;

/** One instant serves a whole request, so no statement asks the database for another. */
export function noClockInSql(file) {
  if (!file.path.startsWith("packages/") || readsDatabaseClock.test(file.path)) return [];
  return sqlTexts(file).flatMap(({ node, text }) => {
    const found = sqlClock.exec(withoutComments(text))?.[0];
    if (!found) return [];
    return [
      problemAt(
        file,
        node.getStart(),
        `"${found}" reads the database's clock: pass the request's instant as a parameter.`,
      ),
    ];
  });
}

const isStore = ({ path }) => /^packages\/server\/src\/.+\.store\.ts$/.test(path);
const ofProjects = (file) => isStore(file) || /^packages\/server\/src\/(features|deciding|events)\//.test(file.path);

// Compared, joined on, or one of a list of columns; to be selected alone keeps no project apart.
const heedsProject = /\bproject_id\s*(=|in\b)|=\s*(\w+\.)?project_id\b|\([^()]*\bproject_id\b[^()]*\)/i;
// The one table whose id is the project.
const namesProject = /\bprojects\.id\s*(=|in\b)|=\s*projects\.id\b|\binsert into projects\b/i;
const everyProject = /--[ \t]*every project:[ \t]*\S/;

/** A project's data is unreachable with another project's key, in every statement. */
export function projectInEveryStatement(file) {
  if (!ofProjects(file) || isTest(file)) return [];
  return sqlTexts(file).flatMap(({ node, text, tagged }) => {
    if (!tagged) {
      return [
        problemAt(
          file,
          node.getStart(),
          "Write SQL as sql`…`: a plain string is not checked, nor are its values kept apart.",
        ),
      ];
    }
    const statement = withoutComments(text);
    if (!isStatement(text) || everyProject.test(text)) return [];
    if (heedsProject.test(statement) || namesProject.test(statement)) return [];
    return [
      problemAt(
        file,
        node.getStart(),
        "The statement heeds no project: compare or insert project_id in its own text. If it serves all projects by nature, " +
          "say why inside it: -- every project: <reason>",
      ),
    ];
  });
}

// `for update`, `do update` and `on update` write no table of that name.
const writes = /(?<!\bfor\s+|\bdo\s+|\bon\s+)\b(?:insert\s+into|update|delete\s+from)\s+(?:only\s+)?([a-z_]+)/gi;
const declaresTable = ({ initializer }) =>
  initializer && ts.isCallExpression(initializer) && initializer.expression.getText() === "table";

/** Variables of table("…", …), so that insertInto(variable, …) is known as a write of the table. */
function tablesByVariable(files) {
  const declared = files.flatMap(({ nodes }) =>
    nodes.filter((node) => ts.isVariableDeclaration(node) && declaresTable(node)),
  );
  return new Map(declared.map(({ name, initializer }) => [name.getText(), initializer.arguments[0]?.text]));
}

/** The tables that a file writes, by statements and by calls, and where. */
function writtenTables(file, tables) {
  const statements = sqlTexts(file).flatMap(({ node, text }) =>
    [...withoutComments(text).matchAll(writes)].map(([, name]) => ({ table: name.toLowerCase(), at: node.getStart() })),
  );
  const calls = file.nodes
    .filter((node) => ts.isCallExpression(node) && /^(insertInto|upsertInto)$/.test(node.expression.getText()))
    .map((node) => ({ table: tables.get(node.arguments[0]?.getText()), at: node.getStart() }));
  return [...statements, ...calls].filter(({ table }) => table !== undefined);
}

/** `features/vouchers`, `features/loyalties/members`, `books` …: where a table may have its home. */
const folderOf = (path) =>
  /^packages\/server\/src\/(features\/(?:loyalties|management)\/[^/]+|features\/[^/]+|[^/]+)\//.exec(path)?.[1];

/** Each table is written in one folder only: whoever wants something in it calls a function of that folder. */
export function oneWriterATable(files) {
  const ours = files.filter((file) => folderOf(file.path) && !isTest(file));
  const tables = tablesByVariable(ours);
  const found = ours.flatMap((file) =>
    writtenTables(file, tables).map((write) => ({ ...write, file, folder: folderOf(file.path) })),
  );
  return found.flatMap(({ table, file, at }) => {
    const folders = [...new Set(found.filter((other) => other.table === table).map(({ folder }) => folder))].sort();
    if (folders.length === 1) return [];
    const message = `${table} is written in ${folders.join(" and in ")}: keep the statements in one of them, and call it from the other.`;
    return [problemAt(file, at, message)];
  });
}

const holdsStatement = (file) => sqlTexts(file).some(({ text, tagged }) => tagged && isStatement(text));

/** A check that reads nothing must fail: some store holds a statement that the one above understands. */
export const storesUnread = (files) => {
  const stores = files.filter(isStore);
  if (stores.length === 0 || stores.some(holdsStatement)) return [];
  return [
    {
      path: stores[0].path,
      line: 1,
      message: "No store holds a sql`…` statement: mend isSqlTemplate in scripts/house/sql.mjs.",
    },
  ];
};
