import { type Request } from 'express';
import { Permission } from '#libs/contracts';
import { paramsOf } from '../../common/validation/param-registry.js';
import { gatherParameters } from '../../common/validation/request-parameters.js';
import { MUTING_PARAM, UpdateOrgParams } from './dto/update-org.params.js';

/** The permission `alert` allows muting and nothing else: all other settings are for administrators. */
export function permissionsToUpdate(request: Request): number {
  const source = { query: request.query, body: request.body as unknown, form: false };
  const { known, unknown, problems } = gatherParameters(source, paramsOf(UpdateOrgParams), true);
  // Also what no caller may send: that it is wrong is for those to know who may change settings.
  const names = [...known.keys(), ...unknown, ...problems.map(({ field }) => field)];
  const asksForMore = names.some((name) => name !== MUTING_PARAM);
  return asksForMore ? Permission.Admin : Permission.Alert | Permission.Admin;
}
