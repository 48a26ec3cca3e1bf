import { isoOf } from "../../../platform/clock.js";
import type { Context } from "../../../platform/context.js";
import type { App } from "../../../platform/http/app.js";
import { withProblems } from "../../../platform/http/schema.js";
import { listNotices, type Notice } from "../../notices/index.js";
import { callOf, contextOf } from "../../projects/index.js";
import { type NoticeBody, NoticeList } from "./notice.schemas.js";

const notices_max = 50;

/** `/dashboard/v1/notices`: what the project wanted its people to be told here (ADR 98). */
export function noticeRoutes(app: App, context: Context): void {
  app.get(
    "/dashboard/v1/notices",
    { schema: { operationId: "list-notices", tags: ["dashboard"], response: withProblems({ 200: NoticeList }) } },
    async (request) => {
      const { db } = contextOf(context, request);
      const { project_id, instant } = callOf(request);
      const found = await listNotices(db, project_id, instant, notices_max + 1);
      return { data: found.slice(0, notices_max).map(toNoticeBody), has_more: found.length > notices_max };
    },
  );
}

const toNoticeBody = ({ used_limit, created_at, ...notice }: Notice): NoticeBody => ({
  ...notice,
  used_limit: used_limit && { ...used_limit, ends_at: isoOf(used_limit.ends_at) },
  created_at: isoOf(created_at),
});
