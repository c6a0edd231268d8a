import { Module } from '@nestjs/common';
import { NameLookup } from './name-lookup.service.js';
import { OrganisationCountRepository } from './organisation-count.repository.js';
import { OutgoingClient } from './outgoing-client.service.js';
import { OutgoingRules } from './outgoing-rules.service.js';

/** The HTTP client for addresses that organisations name, and the rules on where it goes. */
@Module({
  providers: [NameLookup, OrganisationCountRepository, OutgoingClient, OutgoingRules],
  exports: [OutgoingClient, OutgoingRules],
})
export class OutgoingModule {}
