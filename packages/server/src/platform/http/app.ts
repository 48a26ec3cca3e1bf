import { createServer } from "node:http";
import swagger from "@fastify/swagger";
import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  fastify,
  LogController,
  type RawReplyDefaultExpression,
  type RawRequestDefaultExpression,
  type RawServerDefault,
} from "fastify";
import { newRequestId } from "../ids.js";
import type { Log } from "../log.js";
import type { Metrics } from "../metrics.js";
import { someATurn } from "../sharing/slices.js";
import { answerErrors, answerUnreadable } from "./answer-errors.js";
import { headOf } from "./bodies/head.js";
import { readLargeJson } from "./bodies/large-json.js";
import { serialise, writeLongAnswersInSlices } from "./bodies/long-answers.js";
import { addAddressLimits } from "./browsers/address-limit.js";
import { addCors } from "./browsers/cors.js";
import { requestPrefixOf } from "./browsers/own-pages.js";
import { type ClientLimits, default_client_limits, limitClients, timeoutsOf } from "./clients.js";
import { closeBehindAnswers } from "./closing.js";
import { assertStorable, body_bytes_max, readJson } from "./door.js";
import { atOnce } from "./hooks.js";
import { measureRequests } from "./measure.js";
import { noteMetadata } from "./metadata.js";
import { addPaths, answerUnrouted, type PathWords } from "./paths.js";
import { problems } from "./problems.js";
import { assertRead, header_bytes_max, parseQuery } from "./queries.js";
import { createShapes } from "./shapes/create-shapes.js";
import { referToNamed, type Shapes } from "./shapes/named-schemas.js";
import { checkResponses } from "./shapes/response-check.js";
import { createValidators } from "./shapes/validation.js";

/** The HTTP application with typed routes: what a feature's `…Routes` function is given. */
export type App = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

declare module "fastify" {
  interface FastifyInstance {
    /** Compiles the shapes that no request has needed yet, so that none has to wait for its own. */
    compileSchemas(): Promise<void>;
  }
  interface FastifyContextConfig {
    /**
     * What the caller must show; by default the path decides (`/v1`, `/client/v1`, `/management/v1`, else nothing).
     * `application` is a key pair or a bearer token, `application_pair` the key pair alone, `client` a client-side key pair
     * from a trusted page, or a token. `member` is a session of somebody in the project that the header names, `person` one of anybody;
     * `managed` is a management key pair, or such a session of somebody in the project of the path.
     */
    credentials?:
      | "application"
      | "application_pair"
      | "client"
      | "management"
      | "managed"
      | "member"
      | "person"
      | "none";
    /** For answers that are not JSON. */
    any_accept?: boolean;
    /** A `token` in the query stands in for credentials; those that are sent are looked at all the same. */
    opened_by_token?: boolean;
  }
}

interface AppOptions {
  log: Log;
  metrics: Metrics;
  /** Holds every answer against its schema: for tests. */
  check_responses: boolean;
  /** Those of other applications of this process; its own unless given. */
  shapes?: Shapes | undefined;
  /** Which segments of a path are never ids. */
  path_words: PathWords;
  /** Addresses and networks whose word on where a request comes from is believed. */
  trusted_proxies?: readonly string[];
  clients?: ClientLimits;
  /**
   * Has the application describe itself (`app.swagger()`), with what no route says of itself added. One that serves does not: what is
   * committed says the same, and making it is one stretch of a second.
   */
  describe?: ((document: object) => object) | undefined;
}

/**
 * An application without routes: request ids, the checks at the door, error bodies, OpenAPI
 * (architecture.md §7).
 */
export async function createApp(options: AppOptions): Promise<App> {
  const { log, metrics, check_responses, path_words, trusted_proxies = [], clients = default_client_limits } = options;
  const timeouts = timeoutsOf(clients);
  const { shapes = createShapes() } = options;
  const validators = createValidators(shapes);
  const app = fastify({
    trustProxy: trusted_proxies.length > 0 && [...trusted_proxies],
    // Compilers set later would not hold in plugins: adding a named schema there asks these factories again.
    schemaController: {
      compilersFactory: {
        buildValidator: validators.factory,
        buildSerializer: () => () => serialise,
      },
    },
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: body_bytes_max,
    serverFactory: (handle) => {
      const inTurn = someATurn(requests_a_turn);
      const options = { maxHeaderSize: header_bytes_max, keepAliveTimeout: keep_alive_ms, ...timeouts };
      return createServer(options, (request, response) => inTurn(() => handle(request, response)));
    },
    genReqId: (request) => newRequestId(requestPrefixOf(request)),
    forceCloseConnections: "idle",
    frameworkErrors: (error, request, reply) =>
      void answerUnreadable(error, request, reply as unknown as FastifyReply, metrics),
    routerOptions: {
      ignoreDuplicateSlashes: true,
      // An empty last segment is no id: `/v1/vouchers/` is the collection.
      ignoreTrailingSlash: true,
      maxParamLength: 2048,
      querystringParser: parseQuery,
    },
  }).withTypeProvider<TypeBoxTypeProvider>();

  app.decorate("compileSchemas", validators.compileAll);
  noteMetadata(app);
  referToNamed(app, shapes.named, options.describe !== undefined);
  addBodyParsers(app);
  closeBehindAnswers(app);
  limitClients(app, clients);
  measureRequests(app, metrics);
  await addCors(app);
  await addAddressLimits(app);
  app.addHook(
    "onRequest",
    atOnce((request, reply) => void reply.header("x-request-id", request.id)),
  );
  answerUnrouted(app, addPaths(app, path_words));
  app.addHook(
    "preValidation",
    atOnce((request) => {
      assertRead(request.query);
      assertStorable(request.params, problems.invalidQuery);
      assertStorable(request.query, problems.invalidQuery);
      // A body is an object, sent or not; what it must hold is the schema's to say.
      if (request.body === undefined && request.method !== "GET") request.body = {};
    }),
  );
  answerErrors(app, metrics);
  if (check_responses) checkResponses(app, shapes);
  writeLongAnswersInSlices(app);
  if (options.describe) await addDocumentation(app, options.describe);
  return app as unknown as App;
}

/** Refuses an answer in another format than JSON, once it is known who asks (platform.md §11.3). */
export function assertAcceptable(accept: string | undefined): void {
  if (!accept) return;
  const wanted = accept.split(",").map((range) => range.split(";")[0]?.trim().toLowerCase());
  if (!wanted.some((range) => range === "application/json" || range === "application/*" || range === "*/*")) {
    throw problems.notAcceptable();
  }
}

const large_bytes = 65_536;

/** How long a connection waits for its next request: longer than the minute that balancers keep theirs. */
const keep_alive_ms = 72_000;

/** To begin with so many takes some milliseconds; fewer would break up the company of those who share a read. */
const requests_a_turn = 64;

/** Resolves for one caller in each turn of the event loop. */
function oneATurn(): () => Promise<void> {
  let before = Promise.resolve();
  return () => {
    before = before.then(() => new Promise((go) => setImmediate(go)));
    return before;
  };
}

type AnyApp = Pick<FastifyInstance, "addContentTypeParser" | "decorateRequest" | "removeAllContentTypeParsers">;

function addBodyParsers(app: AnyApp): void {
  app.decorateRequest("body_head", null);
  app.removeAllContentTypeParsers();
  const turn = oneATurn();
  app.addContentTypeParser("application/json", { parseAs: "buffer" }, async (request: FastifyRequest, body: Buffer) => {
    request.body_head = headOf(body);
    // Of several that arrive together one alone goes on in each turn of everybody else.
    return body.length > large_bytes ? readLargeJson(body, turn) : readJson(body);
  });
}

async function addDocumentation(
  app: { register: FastifyInstance["register"] },
  describe: (document: object) => object,
): Promise<void> {
  await app.register(swagger, {
    transformObject: (made) => ("openapiObject" in made ? describe(made.openapiObject) : made.swaggerObject),
    openapi: {
      openapi: "3.1.0",
      info: {
        title: "Guerdon",
        version: "v2018-08-01",
        description: "Promotions, vouchers and loyalty. Money is in minor units; date-times are ISO 8601 in UTC.",
      },
      components: {
        securitySchemes: {
          "X-App-Id": { type: "apiKey", in: "header", name: "X-App-Id" },
          "X-App-Token": { type: "apiKey", in: "header", name: "X-App-Token" },
          "X-Client-Application-Id": { type: "apiKey", in: "header", name: "X-Client-Application-Id" },
          "X-Client-Token": { type: "apiKey", in: "header", name: "X-Client-Token" },
          "X-Management-Id": { type: "apiKey", in: "header", name: "X-Management-Id" },
          "X-Management-Token": { type: "apiKey", in: "header", name: "X-Management-Token" },
          Session: {
            type: "apiKey",
            in: "cookie",
            name: "guerdon",
            description:
              "Somebody signed in at the dashboard. Sent with `X-Project-Id`, and from a page of this service where something is changed.",
          },
          OAuth: { type: "http", scheme: "bearer", description: "A token of `POST /v1/oauth/token`." },
        },
      },
    },
    refResolver: { buildLocalReference: (json, _base, _fragment, i) => String(json.$id ?? `def-${i}`) },
  });
}
