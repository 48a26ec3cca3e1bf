// The workload `second_phase`: codes published, events from the outbox to their consumers, and messages to a webhook beside a dead one.
import { once } from "node:events";
import { createServer } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { differs, NotAsExpected } from "./as-expected.mjs";
import { machineLines, median, rounded, spread, today } from "./figures.mjs";
import { askOnce, inTurn } from "./load.mjs";
import { resultOf } from "./report.mjs";
import { management_headers, project_id, settle } from "./stage.mjs";
import { makeFloor, stock } from "./stock.mjs";

const events_count = 20_000;
const messages_count = 2_000;
/** As many as the service sends to one receiver at once. */
const sent_at_once = 10;
const waited_ms_max = 180_000;

export async function secondPhase(stage, options) {
  console.error("second_phase");
  const service = await stage.startService({ environment: { GUERDON_WEBHOOK_ALLOW_PRIVATE: "true" } });
  await makeFloor(stage.db);
  await stock(stage.db, service.url, options.vouchers);
  const published = await publications(stage, service, options);
  const template = await anEvent(stage, service);
  const taken = await repeated(options.rounds, "events", () => taking(stage, template));
  const sent = await messages(stage, service, template, options);
  const rss_mb = service.rss_mb();
  await stage.stop(service);
  return { workload: "second_phase", published, taken, sent, rss_mb };
}

/** Each takes the next free code of a pool, for a customer that nobody has seen before. */
async function publications(stage, service, options) {
  const url = `${service.url}/v1/publications`;
  const workloadOf = (who) => {
    let made = 0;
    return {
      concurrency: options.concurrency,
      request() {
        const source_id = `${who}-${made++}`;
        return { about: { source_id }, body: JSON.stringify({ campaign: { name: "Bench" }, customer: { source_id } }) };
      },
      check: ({ voucher, customer }, { source_id }) =>
        differs([typeof voucher?.code, customer?.source_id], ["string", source_id]),
    };
  };
  const bytes = Buffer.byteLength(await askOnce(url, workloadOf("sample").request().body));
  const floor = await stage.startFloor("publish", bytes);
  const check = ({ valid, code }) => differs([valid, typeof code], [true, "string"]);
  const sides = [
    { name: "floor", process_: floor, url: floor.url, workload: { ...workloadOf("floor"), check } },
    { name: "service", process_: service, url, workload: workloadOf("service") },
  ];
  const before = await givenOnce(stage.db);
  await inTurn(stage, sides, options);
  const [beneath, ours] = sides;
  const { given, twice } = await givenOnce(stage.db);
  if (given - before.given !== ours.granted || twice > 0)
    throw new NotAsExpected(
      `${ours.granted} publications were answered, ${given - before.given} codes given, ${twice} twice`,
    );
  await stage.stop(floor);
  return resultOf({
    name: "publications",
    n: options.vouchers,
    options,
    ours,
    floor: beneath,
    rss_mb: service.rss_mb(),
  });
}

async function givenOnce(db) {
  const { rows } = await db.query(
    `select count(*)::int as given, (count(*) - count(distinct voucher_id))::int as twice from publications where project_id = $1 and result = 'SUCCESS'`,
    [project_id],
  );
  return rows[0];
}

/** One that the service has written, to be copied. */
async function anEvent({ db }, service) {
  const { id } = JSON.parse(await askOnce(`${service.url}/v1/customers`, JSON.stringify({ name: "Told" })));
  await settle(db);
  const { rows } = await db.query(
    "select id from events where project_id = $1 and entity_id = $2 and type = 'customer.created'",
    [project_id, id],
  );
  return rows[0].id;
}

let copied = 0;

/** Copies of the event, and the parcels that tell the second phase of them, as one commit. */
async function tell(db, template, count) {
  copied += 1;
  const { rows } = await db.query(
    `select string_agg(quote_ident(attname), ', ') as others from pg_attribute
      where attrelid = 'events'::regclass and attnum > 0 and not attisdropped and attgenerated = '' and attname not in ('id', 'created_at')`,
  );
  await db.query(
    `with told as (
       insert into events (id, created_at, ${rows[0].others})
       select 'ev_copy_${copied}_' || lpad(copy.i::text, 9, '0'), date_trunc('milliseconds', now()), ${rows[0].others}
         from events, generate_series(1, $3::int) as copy (i) where project_id = $1 and id = $2
       returning project_id, id, created_at, type, entity_id
     )
     insert into outbox_parcels (project_id, created_at, facts)
     select project_id, created_at,
            json_agg(json_build_object('id', id, 'type', type, 'entity_id', entity_id,
                                       'created_at', (extract(epoch from created_at) * 1000)::bigint))
       from (select *, (row_number() over () - 1) / 12 as parcel from told) as numbered
      group by project_id, created_at, parcel`,
    [project_id, template, count],
  );
}

/** From the outbox to whoever wants them, beside PostgreSQL moving as many rows from one table to another by the hundred. */
async function taking({ db }, template) {
  const floor_s = await timed(() => moved(db));
  await tell(db, template, events_count);
  const seconds = await timed(() => settle(db));
  return { per_s: events_count / seconds, floor_per_s: events_count / floor_s };
}

async function moved(db) {
  await db.query("truncate floor_outbox, floor_inbox");
  await db.query("insert into floor_outbox select i::text, now() from generate_series(1, $1::int) as told (i)", [
    events_count,
  ]);
  for (let left = events_count; left > 0; ) {
    const { rowCount } = await db.query(
      `with gone as (delete from floor_outbox where event_id in (select event_id from floor_outbox limit 500) returning *)
       insert into floor_inbox select * from gone`,
    );
    left -= rowCount;
  }
}

/** To a receiver on this machine, beside one that takes a connection and never answers; the floor only sends. */
async function messages({ db }, service, template, { rounds }) {
  const [receiver, dead] = [await aReceiver(true), await aReceiver(false)];
  for (const { url: target_url } of [receiver, dead]) {
    const made = await fetch(`${service.url}/management/v1/projects/${project_id}/webhooks`, {
      method: "POST",
      headers: { ...management_headers, "content-type": "application/json" },
      body: JSON.stringify({ target_url, events: ["customer.created"] }),
    });
    if (made.status >= 300) throw new NotAsExpected(`a webhook answers ${made.status}: ${await made.text()}`);
  }
  const result = await repeated(rounds, "messages", async () => {
    const before = receiver.ids.size;
    await tell(db, template, messages_count);
    const seconds = await timed(async () => {
      for (const until = performance.now() + waited_ms_max; receiver.ids.size < before + messages_count; await pause(5))
        if (performance.now() > until)
          throw new NotAsExpected(`${receiver.ids.size - before} of ${messages_count} messages came`);
    });
    const floor_s = await timed(() => sentBare(receiver));
    return { per_s: messages_count / seconds, floor_per_s: messages_count / floor_s };
  });
  for (const one of [receiver, dead]) one.close();
  return result;
}

/** The same bodies, one after another on as many connections. */
async function sentBare({ url, body }) {
  let left = messages_count;
  const client = async () => {
    while (left-- > 0) {
      const sent = body().replace(/"id":"[^"]*"/, '"id":"floor"');
      await (await fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body: sent })).text();
    }
  };
  await Promise.all(Array.from({ length: sent_at_once }, client));
}

async function aReceiver(answers) {
  const ids = new Set();
  let last = "";
  const server = createServer((request, response) => {
    let text = "";
    request.setEncoding("utf8").on("data", (piece) => (text += piece));
    request.on("end", () => {
      const { id } = JSON.parse(text);
      if (id !== "floor") {
        ids.add(id);
        last = text;
      }
      if (answers) response.end();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    ids,
    body: () => last,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function timed(work) {
  const begun = performance.now();
  await work();
  return (performance.now() - begun) / 1000;
}

async function repeated(rounds, name, measure) {
  const measured = [];
  for (let round = 0; round < rounds; round += 1) {
    measured.push(await measure());
    const { per_s, floor_per_s } = measured.at(-1);
    console.error(`  ${name}: ${rounded(per_s)}/s, floor ${rounded(floor_per_s)}/s`);
  }
  const [per_s, floor_per_s] = ["per_s", "floor_per_s"].map((field) => measured.map((one) => one[field]));
  return {
    per_s: median(per_s),
    spread: spread(per_s),
    floor_per_s: median(floor_per_s),
    ratio: median(per_s) / median(floor_per_s),
  };
}

export function secondPhaseSection(heading, [{ published, taken, sent, rss_mb }], machine, { rounds }) {
  const row = (name, { per_s, spread, floor_per_s, ratio }) =>
    `| ${name} | ${rounded(per_s)} (${spread}) | ${rounded(floor_per_s)} | **${rounded(ratio, 2)}** |`;
  return [
    heading,
    "",
    `Measured on ${today()}.`,
    ...machineLines(machine),
    "",
    "| What | A second | Floor | Ratio |",
    "|---|---|---|---|",
    row("publications", {
      ...published,
      per_s: published.rps,
      spread: published.spread.rps,
      floor_per_s: published.floor_rps,
    }),
    row("events from the outbox to their consumers", taken),
    row("messages to a webhook, a dead one beside it", sent),
    "",
    `Median of ${rounds} rounds. Publications: \`POST /v1/publications\` by ${published.concurrency} clients from a pool of ${published.n}, each for a new customer;`,
    "their floor takes a free row, skipping locked ones, and writes one. Every answer was a code of its own. Events:",
    `${events_count} at once; their floor is PostgreSQL moving as many rows, 500 a statement. Messages: ${messages_count} to a receiver that answers at`,
    `once; their floor sends the same bodies, ${sent_at_once} at once, and writes nothing down. The process reached ${rss_mb} MB.`,
  ].join("\n");
}
