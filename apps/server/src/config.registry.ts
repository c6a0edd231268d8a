import { BenchmarkConfig } from './analysis/benchmark/benchmark.config.js';
import { BillingConfig } from './people/billing/billing.config.js';
import { AccountConfig } from './people/account/account.config.js';
import { ImageConfig } from './views/image/image.config.js';
import { ChannelConfig } from './alerting/channel/channel.config.js';
import { type ConfigClass } from './common/config/setting.decorator.js';
import { DatabaseConfig } from './common/database/database.config.js';
import { ServerConfig } from './common/config/server.config.js';
import { RateLimitConfig } from './common/http/rate-limit.config.js';
import { DetectionConfig } from './analysis/detection/detection.config.js';
import { MatchConfig } from './teaching/match/match.config.js';
import { GraphiteConfig } from './data/ingest/graphite.config.js';
import { IngestConfig } from './data/ingest/ingest.config.js';
import { MailConfig } from './platform/mail/mail.config.js';
import { ChatConfig } from './alerting/integration/chat/chat.config.js';
import { OutgoingConfig } from './platform/outgoing/outgoing.config.js';
import { RetentionConfig } from './people/org/retention.config.js';
import { SessionConfig } from './people/session/session.config.js';
import { SetupConfig } from './people/setup/setup.config.js';
import { SsoConfig } from './people/sso/sso.config.js';
import { SignupConfig } from './people/signup/signup.config.js';
import { StreamConfig } from './views/stream/stream.config.js';
import { ConsoleConfig } from './views/page/console.config.js';
import { TracingConfig } from './common/telemetry/tracing.config.js';
import { StorageConfig } from './platform/storage/storage.config.js';

/** Every configuration class of the server: they are validated at start and listed in docs/configuration.md. */
export const CONFIG_CLASSES: readonly ConfigClass[] = [
  ServerConfig,
  DatabaseConfig,
  StorageConfig,
  RetentionConfig,
  IngestConfig,
  GraphiteConfig,
  DetectionConfig,
  MatchConfig,
  RateLimitConfig,
  ImageConfig,
  StreamConfig,
  BenchmarkConfig,
  MailConfig,
  OutgoingConfig,
  SessionConfig,
  SsoConfig,
  SetupConfig,
  ChatConfig,
  ChannelConfig,
  AccountConfig,
  SignupConfig,
  BillingConfig,
  ConsoleConfig,
  TracingConfig,
];
