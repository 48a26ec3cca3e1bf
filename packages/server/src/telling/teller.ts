import type { Envelope, EventData, EventType, NameOf } from "../events/index.js";
import type { Around } from "./around.js";

/** A fact as it is stored, with the data of its type. */
export type Fact<Type extends EventType> = Envelope & { type: Type; data: EventData[Type] };

/** What a fact says to those who hear of it: it asks for what it does not keep, and whatever others ask for is read together. */
export type Teller<Type extends EventType> = (around: Around, event: Fact<Type>) => Promise<object>;

/** For each fact, what it says under each of its names: a new one that says nothing does not compile. */
export type Tellers<Type extends EventType> = { [Fact in Type]: { [Name in NameOf<Fact>]: Teller<Fact> } };
