import { BillingConfig } from './billing/billing.config.js';
import { type ConfigClass } from './common/config/setting.decorator.js';
import { DatabaseConfig } from './common/database/database.config.js';
import { ServerConfig } from './common/config/server.config.js';
import { RateLimitConfig } from './common/http/rate-limit.config.js';
import { DetectionConfig } from './detection/detection.config.js';
import { GraphiteConfig } from './ingest/graphite.config.js';
import { IngestConfig } from './ingest/ingest.config.js';
import { MailConfig } from './mail/mail.config.js';
import { ChatConfig } from './org/chat.config.js';
import { RetentionConfig } from './org/retention.config.js';
import { SessionConfig } from './session/session.config.js';
import { SetupConfig } from './setup/setup.config.js';
import { SsoConfig } from './sso/sso.config.js';
import { SignupConfig } from './signup/signup.config.js';
import { StorageConfig } from './storage/storage.config.js';

/** Every configuration class of the server: what is validated at start and listed in docs/configuration.md. */
export const CONFIG_CLASSES: readonly ConfigClass[] = [
  ServerConfig,
  DatabaseConfig,
  StorageConfig,
  RetentionConfig,
  IngestConfig,
  GraphiteConfig,
  DetectionConfig,
  RateLimitConfig,
  MailConfig,
  SessionConfig,
  SsoConfig,
  SetupConfig,
  ChatConfig,
  SignupConfig,
  BillingConfig,
];
