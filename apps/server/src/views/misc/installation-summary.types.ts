/**
 * The answer of `/summary` of the management port. Ages and durations in seconds, times in Unix seconds; null if there
 * is no such object.
 */
export interface InstallationSummary {
  version: string;
  uptime_seconds: number;
  /** Points that are accepted and not yet analysed. */
  backlog_points: number;
  /** Age of the oldest of them; 0 if there are none. */
  lag_seconds: number;
  last_point_timestamp: number | null;
  last_point_age_seconds: number | null;
  open_anomalies: number;
  organisations: number;
  metrics: number;
  database_bytes: number;
  /** Space of the file system with the data folder; null if there is no such folder, as with DATABASE_URL. */
  data_folder: string | null;
  disk_free_bytes: number | null;
  disk_size_bytes: number | null;
  mail_configured: boolean;
  mails_waiting: number;
  oldest_mail_age_seconds: number | null;
  /** Waiting messages of alerts, including those that are held for a short time. */
  alerts_waiting: number;
  oldest_alert_age_seconds: number | null;
  /** Messages of alerts that could not be delivered, within the retention of messages. */
  alerts_given_up: number;
}
