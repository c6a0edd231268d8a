import { Module } from '@nestjs/common';
import { NameLookupService } from './name-lookup.service.js';
import { OrganisationCountRepository } from './organisation-count.repository.js';
import { OutgoingClientService } from './outgoing-client.service.js';
import { OutgoingRulesService } from './outgoing-rules.service.js';

/** The HTTP client for addresses that organisations configure, and the rules about allowed destinations. */
@Module({
  providers: [NameLookupService, OrganisationCountRepository, OutgoingClientService, OutgoingRulesService],
  exports: [OutgoingClientService, OutgoingRulesService],
})
export class OutgoingModule {}
