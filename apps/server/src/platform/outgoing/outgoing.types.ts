export interface OutgoingRequest {
  /** http or https, without credentials. */
  url: string;
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  headers?: Readonly<Record<string, string>>;
  body?: string | Buffer;
  signal?: AbortSignal;
  /** Limit for everything together: name, connection, answer with its body. Default 10,000. */
  timeoutMs?: number;
  /** Maximum length of an answer body. Default 65,536. */
  maxBytes?: number;
}

/** Any answer of the server: a redirect is an answer too, and is not followed. */
export interface OutgoingAnswer {
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: Buffer;
}
