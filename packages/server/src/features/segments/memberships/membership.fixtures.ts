import type { TestProject, TestService } from "../../../../test/harness/service.js";
import { sql } from "../../../platform/db/sql.js";

export type Filter = Record<string, unknown>;
export const is = (value: unknown): Filter => ({ conditions: { $is: [value] } });
/** Those of metadata `vip: true`. */
export const vip = { junction: "and", "metadata.vip": is(true) };

/** A project of the service's with segments, and ways to look at what is kept and told of their members. */
export async function aShop(service: TestService, fields: Record<string, unknown> = {}) {
  const project = await service.anotherProject(fields);
  return { ...project, ...membersOf(service, project) };
}
export type Shop = Awaited<ReturnType<typeof aShop>>;

function membersOf(service: TestService, { id: project_id, api }: TestProject) {
  const { clock, context } = service;
  const { db } = context;
  return {
    aSegment: async (filter: Filter, type = "auto-update") =>
      (await api.post("/v1/segments", { name: "S", type, filter }, 200)).body.id as string,
    aCustomer: async (source_id: string, fields: object = {}) =>
      (await api.post("/v1/customers", { source_id, ...fields }, 200)).body.id as string,
    runDue: () => service.runDue(),
    /** By source id, in their order. */
    members: async (segment_id: string) =>
      (
        await db.many<{ source_id: string }>(sql`
          select customers.source_id from segment_memberships
            join customers on customers.project_id = segment_memberships.project_id
                          and customers.id = segment_memberships.customer_id
           where segment_memberships.project_id = ${project_id} and segment_memberships.segment_id = ${segment_id}
           order by customers.source_id`)
      ).map(({ source_id }) => source_id),
    /** `+ann`, `-ann`: who entered and who left, as it was told. */
    told: async () =>
      (
        await db.many<{ told: string }>(sql`
          select case events.type when 'customer.segment.entered' then '+' else '-' end
                 || (events.data -> 'customer' ->> 'source_id') as told
            from events
           where events.project_id = ${project_id} and events.type like 'customer.segment.%'
           order by events.created_at, events.id`)
      ).map(({ told }) => told),
    memberships: async () =>
      (
        await db.one<{ count: number }>(
          sql`select count(*) as count from segment_memberships where segment_memberships.project_id = ${project_id}`,
        )
      ).count,
    /** Customers who are there without anybody having been told. */
    manyCustomers: (count: number, metadata: object) =>
      db.run(sql`
    insert into customers (project_id, id, source_id, metadata, system_metadata, created_at)
    select ${project_id}, 'cust_' || lpad(n::text, 6, '0'), 's' || lpad(n::text, 6, '0'), ${JSON.stringify(metadata)}::jsonb,
           '{}', ${new Date(clock.now() - 1000).toISOString()}
      from generate_series(1, ${count}) as n`),
  };
}
