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

// The clock that follows the database's, and the migrations, which run before there is a clock.
const readsDatabaseClock = /^packages\/server\/src\/platform\/(clock|migrate)(\.test)?\.ts$/;

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
