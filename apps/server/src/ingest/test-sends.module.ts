import { Module } from '@nestjs/common';
import { OrgModule } from '../org/org.module.js';
import { TestSendRepository } from './test-sends.repository.js';
import { TestSends } from './test-sends.service.js';

/** Between the processes that take data and those that answer the API. */
@Module({
  imports: [OrgModule],
  providers: [TestSends, TestSendRepository],
  exports: [TestSends, TestSendRepository],
})
export class TestSendsModule {}
