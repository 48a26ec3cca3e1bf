import type { Readable } from "node:stream";
import Type from "typebox";
import type { Context } from "../../platform/context.js";
import type { App } from "../../platform/http/app.js";
import { NoContent, withProblems } from "../../platform/http/schema.js";
import { callOf, contextOf } from "../projects/index.js";
import { openFile } from "./download.js";
import { DownloadQuery, ExportBody, ExportCreate, ExportList, ExportParams, ExportQuery } from "./export.schemas.js";
import { readExport, readExports, removeExport, startExport } from "./export.service.js";
import type { ExportedObject } from "./exported-object.js";

/** `/v1/exports` (vouchers-and-campaigns.md §10), of whatever the features export. */
export function exportRoutes(app: App, context: Context, objects: readonly ExportedObject[]): void {
  const tags = ["exports"];
  const by_name = new Map(objects.map((object) => [object.name, object]));

  app.post(
    "/v1/exports",
    {
      schema: {
        operationId: "create-export",
        tags,
        body: ExportCreate([...by_name.keys()]),
        response: withProblems({ 200: ExportBody }),
      },
    },
    (request) => {
      const { exported_object, parameters } = request.body;
      return startExport(context, callOf(request), by_name.get(exported_object) as ExportedObject, parameters);
    },
  );

  app.get(
    "/v1/exports",
    {
      schema: {
        operationId: "list-exports",
        tags,
        querystring: ExportQuery,
        response: withProblems({ 200: ExportList }),
      },
    },
    (request) => readExports(contextOf(context, request), callOf(request), request.query),
  );

  app.get(
    "/v1/exports/:exportId",
    {
      config: { any_accept: true, opened_by_token: true },
      schema: {
        operationId: "get-export",
        tags,
        params: ExportParams,
        querystring: DownloadQuery,
        response: withProblems({
          200: Type.Union([
            ExportBody,
            Type.Unsafe<Readable>({ type: "string", description: "With a token: the file, CSV." }),
          ]),
        }),
      },
    },
    async (request, reply) => {
      const { exportId } = request.params;
      const { token } = request.query;
      if (token === undefined) return readExport(contextOf(context, request), callOf(request), exportId);
      const { file, bytes } = await openFile(context, exportId, token, request.signal);
      void reply.headers({
        "content-disposition": `attachment; filename="${exportId}.csv"`,
        "content-length": String(bytes),
      });
      return reply.type("text/csv; charset=utf-8").send(file as never);
    },
  );

  app.delete(
    "/v1/exports/:exportId",
    {
      schema: {
        operationId: "delete-export",
        tags,
        params: ExportParams,
        response: withProblems({ 204: NoContent }),
      },
    },
    async (request, reply) => {
      await removeExport(context, callOf(request), request.params.exportId);
      return reply.code(204).send(null);
    },
  );
}
