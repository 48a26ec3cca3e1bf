import type { FastifyRequest } from "fastify";
import type { TSchema } from "typebox";
import type { Context } from "../../platform/context.js";
import type { App } from "../../platform/http/app.js";
import { addUploadRoutes } from "../../platform/http/bodies/uploads.js";
import { withProblems } from "../../platform/http/schema.js";
import type { Change } from "../../recording/index.js";
import { AsyncActionStarted } from "../async-actions/index.js";
import type { ImportKind } from "./import.js";
import { importFile } from "./import.service.js";
import { CsvForm, keepingFile } from "./upload.js";

/** An operation that takes a file of CSV. */
interface CsvRoute<Row extends object, Parameters extends object> {
  url: string;
  operationId: string;
  tag: string;
  /** The contract has the one for some and the other for others. */
  status: 200 | 202;
  kind: ImportKind<Row, Parameters>;
  params?: TSchema;
  /** Of the form, where fields beside the file say something. */
  form?: TSchema;
  /** What the import is told beside its rows; what it throws refuses the file. */
  parametersOf(request: FastifyRequest, change: Change): Promise<Parameters>;
}

/** Adds an import of CSV (vouchers-and-campaigns.md §9.2): its rows are kept before it is answered, and taken up later. */
export function addCsvImport<Row extends object, Parameters extends object>(
  app: App,
  context: Context,
  { url, operationId, tag, status, kind, params, form = CsvForm, parametersOf }: CsvRoute<Row, Parameters>,
): void {
  addUploadRoutes(app, (uploads) => {
    uploads.post(
      url,
      {
        preValidation: keepingFile(context, kind),
        schema: {
          operationId,
          tags: [tag],
          consumes: ["multipart/form-data"],
          ...(params && { params }),
          body: form,
          response: withProblems({ [status]: AsyncActionStarted }),
        },
      },
      async (request: FastifyRequest, reply) => {
        void reply.code(status);
        return importFile(context, request, kind, (change) => parametersOf(request, change));
      },
    );
  });
}
