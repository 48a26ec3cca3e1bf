// The arrows of the house. scripts/check-arrows.mjs runs them and adds "one way between two features".
//
//   platform ← events ← recording, terms, catalogue ← books ← resources ← deciding ← validations, redemptions,
//   qualifications ← client-side
//
// A feature may import what stands to its left, and another feature or room through its index.ts.
// Each comment says what to do instead: it is printed beside the import that breaks the rule.

const server = "^packages/server/src/";
const features = `${server}features/`;

/** Tests may look anywhere; nothing in src may lean on them. */
const tests = "\\.(test|fixtures)\\.ts$|^packages/[^/]+/test/";

/** Folders of features that hold features, not files of one. */
const groups = "loyalties|management";

/** The features that ask for decisions, through deciding/index.ts. */
const deciders = `${features}(dashboard|validations|redemptions|qualifications|loyalties/(accruals|auto-redeem)|management/automations)/`;
const clientSide = `${features}client-side/`;

/** Folders beside features/ that have one door each. */
const rooms = "events|recording|terms|catalogue|books|walks|deciding|telling";

/** The dashboard. */
const pages = "^packages/dashboard/src/";

/** What puts events and their outbox rows into the database. */
const append = `${server}events/append\\.ts$`;

const feature = `${features}((?:${groups})/[^/]+|[^/]+)/`;
const featureDoor = `${features}((${groups})/[^/]+/|[^/]+/)index\\.ts$`;

/** @type {import("dependency-cruiser").IForbiddenRuleType[]} */
const forbidden = [
  {
    name: "engine-is-pure",
    severity: "error",
    comment:
      "The engine decides from facts alone. Pass what it needs as an argument; a new pure library is named in .dependency-cruiser.cjs, with an ADR.",
    from: { path: "^packages/engine/src/", pathNot: tests },
    to: { pathNot: ["^packages/engine/src/", "node_modules/(decimal\\.js|temporal-polyfill)/"] },
  },
  {
    name: "engine-door-only",
    severity: "error",
    comment: 'Import from "@guerdon/engine"; export what is missing from packages/engine/src/index.ts.',
    from: { path: server, pathNot: tests },
    to: { path: "^packages/engine/", pathNot: "^packages/engine/src/index\\.ts$" },
  },
  {
    name: "front-door-only",
    severity: "error",
    comment: "Import the other feature's index.ts, and export there what its neighbours may call.",
    from: { path: feature, pathNot: tests },
    to: { path: features, pathNot: [`${features}$1/`, featureDoor] },
  },
  {
    name: "front-door-only-in-groups",
    severity: "error",
    comment: "Import the nested feature's index.ts: a group (loyalties/, management/) is a neighbour like any other.",
    from: { path: `${features}(${groups})/[^/]+$`, pathNot: tests },
    to: { path: `${features}$1/[^/]+/`, pathNot: featureDoor },
  },
  {
    name: "front-door-only-from-outside",
    severity: "error",
    comment: "Import the feature's index.ts, and export there what others may call.",
    from: { path: server, pathNot: [tests, features, `${server}(app|main)\\.ts$`] },
    to: { path: features, pathNot: featureDoor },
  },
  {
    name: "app-plugs-in-plugins",
    severity: "error",
    comment:
      "app.ts and main.ts take a feature's index.ts, its *.routes.ts or its *.jobs.ts; stores and services are its own.",
    from: { path: `${server}(app|main)\\.ts$` },
    to: { path: features, pathNot: [featureDoor, "\\.(routes|jobs)\\.ts$"] },
  },
  {
    name: "room-door-only",
    severity: "error",
    comment: "Import the room's index.ts, and export there what callers need.",
    from: { path: `${server}([^/]+)`, pathNot: tests },
    to: { path: `${server}(${rooms})/`, pathNot: [`${server}$1/`, `${server}(${rooms})/index\\.ts$`, append] },
  },
  {
    name: "only-a-write-set-appends-events",
    severity: "error",
    comment: "Say change.tell(…): the write set appends events in their place, with everything else of the change.",
    from: { path: server, pathNot: [tests, `${server}recording/write-set\\.ts$`] },
    to: { path: append },
  },
  {
    name: "platform-knows-no-promotions",
    severity: "error",
    comment:
      "The platform has no promotion words. Let the caller hand in the function or value, or move the file to the feature that owns the word.",
    from: { path: `${server}platform/`, pathNot: tests },
    to: { path: `${server}(features|${rooms})/` },
  },
  {
    name: "events-know-only-the-platform",
    severity: "error",
    comment:
      "Events are told, they do not ask. Put what consumers need into the payload; a feature exports its consumers from its door.",
    from: { path: `${server}events/`, pathNot: tests },
    to: { path: `${server}(features|recording|terms|catalogue|books|deciding)/` },
  },
  {
    name: "terms-and-recording-know-no-resource",
    severity: "error",
    comment:
      "What many resources share cannot know one of them. Take it as an argument, or move the file to the resource.",
    from: { path: `${server}(terms|recording)/`, pathNot: tests },
    to: { path: `${server}(features|catalogue|books|deciding)/` },
  },
  {
    name: "catalogue-knows-no-resource",
    severity: "error",
    comment:
      "The catalogue knows no kind by name. Let the feature export a shelf or an index, and name it in composition.ts.",
    from: { path: `${server}catalogue/`, pathNot: tests },
    to: { path: `${server}(features|books|deciding)/` },
  },
  {
    name: "books-know-no-resource",
    severity: "error",
    comment: "The books keep what was redeemed and paid, by ids. What a resource knows comes as an argument.",
    from: { path: `${server}books/`, pathNot: tests },
    to: { path: `${server}(features|catalogue|deciding)/` },
  },
  {
    name: "resources-do-not-decide",
    severity: "error",
    comment:
      "A resource stores and shows. Move what decides to deciding/, where resources are imported, or append an event and let its consumer act.",
    from: { path: features, pathNot: [tests, deciders, clientSide] },
    to: { path: [`${server}deciding/`, deciders] },
  },
  {
    name: "deciding-knows-no-callers",
    severity: "error",
    comment: "Take what the caller knows as an argument, or move what is shared down into deciding/.",
    from: { path: `${server}deciding/`, pathNot: tests },
    to: { path: deciders },
  },
  {
    name: "client-side-is-a-leaf",
    severity: "error",
    comment:
      "client-side/ only calls its neighbours' doors. Move what is shared into the feature whose noun it carries.",
    from: { path: server, pathNot: [tests, clientSide, `${server}composition\\.ts$`] },
    to: { path: clientSide },
  },
  {
    name: "telling-is-for-listeners",
    severity: "error",
    comment: "Whoever does something says change.tell(…); what that says to others is rendered when they read it.",
    from: {
      path: server,
      pathNot: [tests, `${server}telling/`, `${features}(activities|dashboard|management/(send-outs|automations))/`],
    },
    to: { path: `${server}telling/` },
  },
  {
    name: "app-is-the-top",
    severity: "error",
    comment: "Only the commands of main.ts import app.ts. Take what you need from it as an argument of your plugin.",
    from: { path: `${server}.`, pathNot: [tests, `${server}(main|serving/service|openapi|second-phase)\\.ts$`] },
    to: { path: `${server}(app|main)\\.ts$` },
  },
  {
    name: "pages-know-the-api-alone",
    severity: "error",
    comment: "The dashboard speaks to the service over HTTP: take the shape from api/schema.d.ts.",
    from: { path: pages },
    to: { path: "^packages/(server|engine)/" },
  },
  {
    name: "pages-stand-apart",
    severity: "error",
    comment: "Pages never import each other: link by URL, and move what both show to ui/ or api/.",
    from: { path: `${pages}pages/([^/]+)/` },
    to: { path: `${pages}pages/`, pathNot: `${pages}pages/$1/` },
  },
  {
    name: "ui-knows-no-api",
    severity: "error",
    comment: "Components of ui/ show what they are given: take it as a property.",
    from: { path: `${pages}ui/` },
    to: { path: `${pages}(api|pages|shell)/` },
  },
  {
    name: "no-tests-in-src",
    severity: "error",
    comment: "What ships cannot lean on tests. Move what is shared out of the test, builders into a fixtures file.",
    from: { path: "^packages/[^/]+/src/", pathNot: tests },
    to: { path: tests },
  },
  {
    name: "no-cycles",
    severity: "error",
    comment:
      "Two files that import each other (types count) are one file or three: move what both need into a file of its own, or let the way back be an event.",
    from: { pathNot: tests },
    to: { circular: true },
  },
  {
    name: "no-unresolved",
    severity: "error",
    comment:
      "Nothing is known about an import that leads nowhere. Mend the path (it ends in .js), or add the package to package.json.",
    from: { path: "^packages/[^/]+/src/" },
    to: { couldNotResolve: true },
  },
];

/** @type {import("dependency-cruiser").IConfiguration} */
module.exports = {
  forbidden,
  options: {
    doNotFollow: { path: "node_modules|/bundle/|/dist/|/dist-test/|/dist-types/" },
    exclude: { path: "^packages/[^/]+/(bundle|dist|dist-new|dist-test|dist-types|data|node_modules)/" },
    // Types are knowledge too: an `import type` counts as an arrow.
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["types", "import", "node", "default"],
      mainFields: ["module", "main", "types", "typings"],
      extensions: [".ts", ".tsx", ".d.ts", ".mts", ".js", ".mjs", ".cjs", ".json"],
    },
  },
};
