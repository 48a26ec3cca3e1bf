import type { Worker } from "node:cluster";

interface Handle {
  close(): void;
}

/**
 * Closes connections that `node:cluster` keeps for ever, whose clients would wait until they are tired of it: the one that a
 * process was being handed when it died, and the one that the last of them refused because it had stopped listening by then.
 * A process is handed one at a time; one that was taken is closed here already, which may be repeated.
 */
export class HandedOver {
  private readonly handed = new Map<Worker, Handle>();
  private readonly listening = new Set<Worker>();

  follow(worker: Worker): void {
    const { process: child } = worker;
    const send = child.send.bind(child) as (...given: unknown[]) => boolean;
    child.send = (...given: unknown[]) => {
      const [, handle] = given;
      if (handle) this.handed.set(worker, handle as Handle);
      return send(...given);
    };
    worker.on("listening", () => this.listening.add(worker));
    // Heard after Node.js itself has: what could be handed to another one has been by now.
    child.on("internalMessage", ({ act, accepted }: { act?: string; accepted?: boolean }) => {
      if (act === "close") this.listening.delete(worker);
      if (accepted === false) this.refused(worker);
    });
    child.once("exit", () => {
      this.listening.delete(worker);
      this.take(worker)?.close();
    });
  }

  private refused(worker: Worker): void {
    const handle = this.take(worker);
    const is_elsewhere = [...this.handed.values()].some((other) => other === handle);
    if (!is_elsewhere && this.listening.size === 0) handle?.close();
  }

  private take(worker: Worker): Handle | undefined {
    const handle = this.handed.get(worker);
    this.handed.delete(worker);
    return handle;
  }
}
