import { describe, expect, test } from "vitest";
import { uniqueText } from "../../../../test/harness/resources.js";
import { startService } from "../../../../test/harness/service.js";
import { aCampaign, automationsOf, sends } from "./automation.fixtures.js";

const service = await startService();
const { clock, management, project, anotherProject } = service;
const { path, make, read, change, refused } = automationsOf(service, project);
const hooks = "https://hooks.example/guerdon";

const aSegment = async (type: string) => {
  const filter = { junction: "and", "metadata.vip": { conditions: { $is: [true] } } };
  const held = type === "static" ? { customers: [] } : { filter };
  return (await project.api.post("/v1/segments", { name: uniqueText("segment"), type, ...held }, 200)).body
    .id as string;
};

describe("an automation", () => {
  test("is made, read and listed with the automations of its project", async () => {
    const mine = automationsOf(service, await anotherProject());
    const fields = sends(hooks);
    const body = await mine.make(fields);
    expect(body).toEqual({
      ...fields,
      id: expect.stringMatching(/^distr_/),
      object: "automation",
      active: true,
      trigger: { event: "customer.created", segment_id: null, custom_event: null, campaign_id: null },
      validation_rule_id: null,
      action: { type: "SEND", campaign_id: null },
      channel: { ...fields.channel, payload: null, raw_payload: false, custom_header_names: [] },
      created_at: new Date(clock.now()).toISOString(),
      updated_at: null,
    });
    expect(await mine.read(body.id)).toEqual(body);
    const listed = { object: "list", data_ref: "data", data: [body], total: 1 };
    expect((await management.get(mine.path, 200)).body).toEqual(listed);
  });

  test("that waits for a passive segment has it tell who enters from then on", async () => {
    const segment_id = await aSegment("passive");
    const about = { event: "customer.segment.entered", segment_id };
    expect((await make(sends(hooks, { trigger: about }))).trigger).toMatchObject(about);
    expect((await project.api.get(`/v1/segments/${segment_id}`, 200)).body.type).toBe("auto-update");
  });

  test("changes as a whole, and its switch stays unless it is sent", async () => {
    const made = await make(sends(hooks, { active: false }));
    clock.advance({ minutes: 1 });
    const campaign = await aCampaign(project);
    const publishes = { name: made.name, trigger: { event: "customer.order.paid" } };
    const changed = { ...publishes, action: { type: "PUBLISH", campaign_id: campaign.name } };
    expect(await change(made.id, changed)).toMatchObject({
      active: false,
      action: { type: "PUBLISH", campaign_id: campaign.id },
      channel: null,
      created_at: made.created_at,
      updated_at: new Date(clock.now()).toISOString(),
    });
    expect(await change(made.id, { ...changed, active: true })).toMatchObject({ active: true });
    expect(await read(made.id)).toMatchObject({ active: true, channel: null, trigger: publishes.trigger });
  });

  test("is gone after DELETE", async () => {
    const { id } = await make(sends(hooks));
    await management.delete(`${path}/${id}`, 204);
    const others = await anotherProject();
    const { id: other } = await make(sends(hooks));
    for (const asked of [
      management.get(`${path}/${id}`, 404),
      management.put(`${path}/${id}`, sends(hooks), 404),
      management.delete(`${path}/${id}`, 404),
      management.get(`${automationsOf(service, others).path}/${other}`, 404),
    ])
      expect((await asked).body).toMatchObject({ key: "not_found", resource_type: "automation" });
    expect((await management.get("/management/v1/projects/proj_none/automations", 404)).body).toMatchObject({
      resource_type: "project",
    });
  });

  test("has a name of its own in its project", async () => {
    const fields = sends(hooks);
    await make(fields);
    const other = await make(sends(hooks));
    const says = { key: "duplicate_found", resource_id: fields.name, resource_type: "automation" };
    expect(await refused(fields, 409)).toMatchObject(says);
    expect((await management.put(`${path}/${other.id}`, fields, 409)).body).toMatchObject(says);
    await automationsOf(service, await anotherProject()).make(fields);
  });

  test("is no webhook: neither read, listed, changed nor deleted as one", async () => {
    const shop = await anotherProject();
    const { id } = await automationsOf(service, shop).make(sends(hooks));
    const webhooks = `/management/v1/projects/${shop.id}/webhooks`;
    expect((await management.get(webhooks, 200)).body.data).toEqual([]);
    await management.get(`${webhooks}/${id}`, 404);
    await management.put(`${webhooks}/${id}`, { target_url: hooks, events: ["customer.created"] }, 404);
    await management.delete(`${webhooks}/${id}`, 404);
  });
});

test("a segment that an automation waits for cannot be deleted before it", async () => {
  const segment_id = await aSegment("auto-update");
  const { id } = await make(sends(hooks, { trigger: { event: "customer.segment.left", segment_id } }));
  expect((await project.api.delete(`/v1/segments/${segment_id}`, 400)).body).toMatchObject({
    key: "resource_in_use",
    related_object_ids: [id],
    related_object_type: "distribution",
  });
  await management.delete(`${path}/${id}`, 204);
  await project.api.delete(`/v1/segments/${segment_id}`, 204);
});

describe("refused is an automation", () => {
  const property = (details: string) => ({ key: "invalid_payload", details });

  test.each`
    what                                             | fields                                                                                                     | details
    ${"of an unknown event"}                         | ${{ trigger: { event: "customer.sneezed" } }}                                                              | ${/^Property \.trigger\.event /}
    ${"without the segment that it is about"}        | ${{ trigger: { event: "customer.segment.left" } }}                                                         | ${"Property .trigger should have required property 'segment_id'"}
    ${"without the name of the custom event"}        | ${{ trigger: { event: "customer.custom_event" } }}                                                         | ${"Property .trigger should have required property 'custom_event'"}
    ${"with a segment that says nothing"}            | ${{ trigger: { event: "customer.created", segment_id: "seg_1" } }}                                         | ${"Property .trigger.segment_id must not be given with customer.created"}
    ${"with a campaign that says nothing"}           | ${{ trigger: { event: "customer.order.paid", campaign_id: "camp_1" } }}                                    | ${"Property .trigger.campaign_id must not be given with customer.order.paid"}
    ${"that sends to nowhere"}                       | ${{ channel: null }}                                                                                       | ${"Property .channel is required with SEND"}
    ${"that sends a campaign"}                       | ${{ action: { type: "SEND", campaign_id: "camp_1" } }}                                                     | ${"Property .action.campaign_id must not be given with SEND"}
    ${"that gives nothing"}                          | ${{ action: { type: "PUBLISH" } }}                                                                         | ${"Property .action should have required property 'campaign_id'"}
    ${"that gives a code for a code that was given"} | ${{ trigger: { event: "customer.publication.succeeded" }, action: { type: "PUBLISH", campaign_id: "c" } }} | ${"Property .action.type must be SEND with customer.publication.succeeded"}
    ${"whose payload is no JSON"}                    | ${{ channel: { ...sends(hooks).channel, payload: '{"name": {{customer.name}' } }}                          | ${"Property .channel.payload must be JSON once its places are filled"}
  `("$what", async ({ fields, details }) => {
    const says = details instanceof RegExp ? expect.stringMatching(details) : details;
    expect(await refused(sends(hooks, fields))).toMatchObject(property(says));
  });

  test("that names a campaign, a rule, a segment or a custom event that is not there", async () => {
    const publishes = (campaign_id: string) => sends(hooks, { action: { type: "PUBLISH", campaign_id } });
    const about = (trigger: object) => sends(hooks, { trigger });
    const not_found = (resource_type: string) => ({ key: "not_found", resource_type });
    expect(await refused(publishes("camp_none"), 404)).toMatchObject(not_found("campaign"));
    expect(await refused(sends(hooks, { validation_rule_id: "val_none" }), 404)).toMatchObject(
      not_found("validation_rules"),
    );
    const entered = about({ event: "customer.segment.entered", segment_id: "seg_none" });
    expect(await refused(entered, 404)).toMatchObject(not_found("segment"));
    const custom = about({ event: "customer.custom_event", custom_event: "sneezed" });
    expect(await refused(custom, 404)).toMatchObject(not_found("custom_event_schema"));
    const given = about({ event: "customer.publication.succeeded", campaign_id: "camp_none" });
    expect(await refused(given, 404)).toMatchObject(not_found("campaign"));
    const others = await aCampaign(await anotherProject());
    expect(await refused(publishes(others.id), 404)).toMatchObject(not_found("campaign"));
  });

  test("of an event that has no such parameter: nothing else is about a campaign", async () => {
    const about = { event: "customer.created", campaign_id: (await aCampaign(project)).id };
    expect(await refused(sends(hooks, { trigger: about }))).toMatchObject(
      property("Property .trigger.campaign_id must not be given with customer.created"),
    );
  });

  test("of a segment that nobody is told to enter, and of a campaign without codes", async () => {
    const segment_id = await aSegment("static");
    const about = { event: "customer.segment.entered", segment_id };
    const details = `Property .trigger.segment_id must not be of a static segment, which nobody enters: ${segment_id}`;
    expect(await refused(sends(hooks, { trigger: about }))).toMatchObject(property(details));
    const promotion = await aCampaign(project, { type: "STATIC", campaign_type: "PROMOTION", voucher: undefined });
    const publishes = sends(hooks, { action: { type: "PUBLISH", campaign_id: promotion.id } });
    expect(await refused(publishes)).toMatchObject(
      property("Property .action.campaign_id must name a campaign that has codes"),
    );
  });

  test.each(["ftp://hooks.example/", "http://127.0.0.1/x", "http://[::ffff:10.0.0.1]/", "http://localhost/", "hooks"])(
    "that would send to %s",
    async (target_url) => {
      const { key, details } = await refused(sends(target_url));
      expect({ key, details }).toEqual(property(expect.stringMatching(/^Property \.channel\.target_url /)));
      const { id } = await make(sends(hooks));
      const changed = await management.put(`${path}/${id}`, sends(target_url), 400);
      expect(changed.body.details).toBe(details);
    },
  );
});
