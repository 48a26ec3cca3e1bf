export interface Answer {
    status: number;
    /** Parsed JSON, or null where there is no body. */
    body: any;
    headers: Headers;
}
/** Speaks HTTP to the service with one set of credentials. Give a status to have it expected. */
export interface Client {
    get(path: string, status?: number): Promise<Answer>;
    post(path: string, body?: unknown, status?: number): Promise<Answer>;
    put(path: string, body?: unknown, status?: number): Promise<Answer>;
    delete(path: string, status?: number): Promise<Answer>;
    /** Anything else: raw bodies, other headers and methods. */
    send(method: string, path: string, options?: {
        raw?: string | Uint8Array;
        headers?: Record<string, string | null>;
        status?: number;
    }): Promise<Answer>;
}
export declare function createClient(url: string, credentials?: Record<string, string>): Client;
