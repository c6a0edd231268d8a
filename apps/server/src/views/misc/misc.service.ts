import { Injectable } from '@nestjs/common';
import { countries } from 'countries-list';
import { DateTime } from 'luxon';
import { timezoneNames } from '#libs/timezones';
import { Clock } from '../../common/clock.js';
import { relative } from '../../common/display/display.js';
import { type PhoneCodesDto, type TimeSinceDto, type TimezoneDto, type TimezonesDto } from './dto/misc.dto.js';

/** Lists for forms, and small conversions. */
@Injectable()
export class MiscService {
  private readonly phoneCodeList = listPhoneCodes();

  constructor(private readonly clock: Clock) {}

  phoneCodes(): PhoneCodesDto {
    return this.phoneCodeList;
  }

  timeSince(timestamp: number): TimeSinceDto {
    const now = Math.floor(this.clock.now());
    return { timestamp, seconds: now - timestamp, string: relative(timestamp, now) };
  }

  timezones(): TimezonesDto {
    const now = this.clock.now();
    return { timezones: [...timezoneNames()].map((name) => describeZone(name, now)) };
  }
}

/** A country with several codes has one row per code. */
function listPhoneCodes(): PhoneCodesDto {
  const rows = Object.entries(countries).flatMap(([iso, { name, phone }]) =>
    phone.map((code) => ({ country: name, iso, code: `+${String(code)}` })),
  );
  rows.sort((a, b) => a.country.localeCompare(b.country, 'en') || a.code.localeCompare(b.code, 'en'));
  return { phone_codes: rows };
}

function describeZone(name: string, now: number): TimezoneDto {
  const moment = DateTime.fromSeconds(now, { zone: name, locale: 'en-GB' });
  return { name, offset_seconds: moment.offset * 60, label: `${name} (UTC${moment.toFormat('ZZ')})` };
}
