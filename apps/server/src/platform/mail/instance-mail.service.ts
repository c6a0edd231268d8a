import { Injectable } from '@nestjs/common';
import { MailConfig } from './mail.config.js';

export type MailSecurity = MailConfig['security'];

/** The mail server that the operator has configured. */
export interface MailServer {
  host: string;
  port: number;
  security: MailSecurity;
  username: string | null;
  password: string | null;
  from: string;
  fromName: string;
}

/** The mail server of the installation, for organisations without their own. */
@Injectable()
export class InstanceMailService {
  constructor(private readonly config: MailConfig) {}

  /** Null if the operator has configured none. */
  get server(): MailServer | null {
    const { host, port, security, username, password, from, fromName } = this.config;
    if (host === undefined || from === undefined) return null;
    return { host, port, security, username: username ?? null, password: password ?? null, from, fromName };
  }
}
