import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import ts from 'typescript';

const ROOT = resolve(import.meta.dirname, '../..');
const SERVER = join(ROOT, 'apps/server/src');

/** Reasons why a method may omit the organisation. */
type Reason =
  /** It resolves a credential or a login name to the organisation. */
  | 'leads to the organisation'
  /** The caller owns the rows and was identified by a credential. The id never comes from a request. */
  | 'of the user who was found by a credential'
  /** Internal work over all organisations. */
  | 'housekeeping'
  /** Points and learnt state, addressed by metric ids that the registry has assigned. */
  | 'way of a point'
  /** The secret keys of the installation, and the columns sealed with them; used only by the command line. */
  | 'keys of the installation'
  /** The key is the only way to find the row, and is the permission to read it. */
  | 'found by its secret key'
  /** Places are held by a user, a token or an address, with or without an account. */
  | 'of a user, token or address'
  /** It works on the list of organisations. */
  | 'about organisations';

/** Every repository method without an organisation, with its reason. Additions need a justification. */
const WITHOUT_ORG: Readonly<Record<string, Reason>> = {
  'AccountLinksRepository.consume': 'leads to the organisation',
  'AccountLinksRepository.countTry': 'leads to the organisation',
  'AccountLinksRepository.forgetExpired': 'housekeeping',
  'AccountLinksRepository.holderOf': 'leads to the organisation',
  'AccountLinksRepository.insert': 'of the user who was found by a credential',
  'AccountLinksRepository.revoke': 'of the user who was found by a credential',
  'AlertDeliveryRepository.claimExpiredOfAll': 'housekeeping',
  'AlertDeliveryRepository.dropExpired': 'housekeeping',
  'AlertDeliveryRepository.takeSuppressedOfAll': 'housekeeping',
  'AlertDeliveryRepository.waitingOfAll': 'housekeeping',
  'AdminAlertRepository.listActiveOfAll': 'housekeeping',
  'AdminAlertRepository.listOperatorAlertsOfAll': 'housekeeping',
  'AdminConditionsRepository.listInvalidOfAll': 'housekeeping',
  'AdminConditionsRepository.listOverQuotaOfAll': 'housekeeping',
  'AdminConditionsRepository.listSilentOfAll': 'housekeeping',
  'AdminConditionsRepository.listStaleOfAll': 'housekeeping',
  'AdminConditionsRepository.listWithFailuresOfAll': 'housekeeping',
  'AlertPlanRepository.budgetedWatchers': 'housekeeping',
  'AlertPlanRepository.dropOld': 'housekeeping',
  'AlertPlanRepository.recheckStale': 'housekeeping',
  'AlertPlanRepository.orgsWithWork': 'housekeeping',
  'AnomalyRecordingRepository.findKnown': 'way of a point',
  'AnomalyRecordingRepository.findRows': 'way of a point',
  'AnomalyRecordingRepository.forgetExpired': 'housekeeping',
  'AnomalyRecordingRepository.setUnconfirmed': 'way of a point',
  'AnomalyRecordingRepository.upsert': 'way of a point',
  'AnomalyVerdictRepository.claimPendingOfAll': 'housekeeping',
  'AnomalyVerdictRepository.note': 'way of a point',
  'AuditTrailRepository.forgetExpired': 'housekeeping',
  'BenchmarkRepository.beat': 'housekeeping',
  'BenchmarkRepository.claimNext': 'housekeeping',
  'BenchmarkRepository.countAll': 'housekeeping',
  'BenchmarkRepository.eraseExpired': 'housekeeping',
  'BenchmarkRepository.freePlaces': 'of a user, token or address',
  'BenchmarkRepository.findByKey': 'found by its secret key',
  'BenchmarkRepository.findToChange': 'found by its secret key',
  'BenchmarkRepository.listAbandoned': 'housekeeping',
  'BenchmarkRepository.listResults': 'found by its secret key',
  'BenchmarkRepository.release': 'housekeeping',
  'BenchmarkRepository.saveResult': 'found by its secret key',
  'BenchmarkRepository.seriesOf': 'found by its secret key',
  'BenchmarkRepository.update': 'found by its secret key',
  'BillingAccountRepository.checkedBefore': 'housekeeping',
  'BillingAccountRepository.orgOfCustomer': 'leads to the organisation',
  'BillingCheckoutRepository.findByHash': 'leads to the organisation',
  'BillingCheckoutRepository.forgetExpired': 'housekeeping',
  'BillingEventRepository.forgetOld': 'housekeeping',
  'BreachPlanRepository.listOrgsToRecheck': 'housekeeping',
  'CandidateRepository.claim': 'way of a point',
  'CandidateRepository.lockMany': 'way of a point',
  'CandidateRepository.overdue': 'way of a point',
  'CandidateRepository.remove': 'way of a point',
  'CandidateRepository.renew': 'way of a point',
  'CandidateRepository.set': 'way of a point',
  'DefinitionChangesRepository.remove': 'way of a point',
  'DefinitionChangesRepository.waiting': 'way of a point',
  'DemoRepository.listAll': 'housekeeping',
  'DemoRepository.listPublic': 'housekeeping',
  'DetectionBacklogRepository.appliedPositions': 'way of a point',
  'DetectionCheckpointRepository.moveToRow': 'way of a point',
  'DetectionCheckpointRepository.hasObjects': 'way of a point',
  'DetectionCheckpointRepository.lockOwnership': 'way of a point',
  'DetectionCheckpointRepository.markApplied': 'way of a point',
  'DetectionCheckpointRepository.objectsOf': 'way of a point',
  'DetectionCheckpointRepository.pagesAfter': 'way of a point',
  'DetectionCheckpointRepository.savePage': 'way of a point',
  'DetectionCheckpointRepository.saveReplayPosition': 'way of a point',
  'DetectionCheckpointRepository.takeOver': 'way of a point',
  'DetectionMembersRepository.remove': 'way of a point',
  'DetectionMembersRepository.report': 'way of a point',
  'EventRecordingRepository.dropExpired': 'housekeeping',
  'ExclusionManagementRepository.dropDeletedBefore': 'housekeeping',
  'ExclusionManagementRepository.orgsWithExcludedMetrics': 'housekeeping',
  'ExclusionRepository.fingerprints': 'housekeeping',
  'FirstOrganisationRepository.isThere': 'about organisations',
  'FirstOrganisationRepository.lock': 'about organisations',
  'GraphWarmUpRepository.anyMetric': 'housekeeping',
  'IncidentGroupingRepository.changedOrgs': 'housekeeping',
  'IncidentGroupingRepository.dropEmpty': 'housekeeping',
  'InstallationCountsRepository.connections': 'housekeeping',
  'InstallationCountsRepository.countAll': 'about organisations',
  'IntegrationRepository.listOfEveryOrg': 'way of a point',
  'KeysRepository.forgetKeysBesides': 'keys of the installation',
  'KeysRepository.hashedCountsOfEveryOrg': 'keys of the installation',
  'KeysRepository.insertKey': 'keys of the installation',
  'KeysRepository.knownKeys': 'keys of the installation',
  'KeysRepository.lock': 'keys of the installation',
  'KeysRepository.lockSealedOfEveryOrg': 'keys of the installation',
  'KeysRepository.orgIds': 'keys of the installation',
  'KeysRepository.sealedCountsOfEveryOrg': 'keys of the installation',
  'KeysRepository.updateSealedOfEveryOrg': 'keys of the installation',
  'MailOutboxRepository.finish': 'housekeeping',
  'MailOutboxRepository.forgetOldKeys': 'housekeeping',
  'MailOutboxRepository.tryAgainAt': 'housekeeping',
  'MailOutboxRepository.waitingOfAll': 'housekeeping',
  'MatchRepository.forgetExpired': 'housekeeping',
  'MetricRegistryRepository.describe': 'way of a point',
  'MetricRegistryRepository.findSeries': 'way of a point',
  'MetricRegistryRepository.makeCounters': 'way of a point',
  'MetricRegistryRepository.updateProgress': 'way of a point',
  'MetricRegistryRepository.writeSearchRows': 'housekeeping',
  'MetricStatesRepository.flows': 'housekeeping',
  'MetricStatesRepository.refresh': 'housekeeping',
  'MetricStatesRepository.refreshReturned': 'way of a point',
  'OperatorListsRepository.listOrganisations': 'about organisations',
  'OperatorListsRepository.listUsers': 'about organisations',
  'OrgErasureRepository.listSeriesToErase': 'housekeeping',
  'OrgErasureRepository.listOrgsToDelete': 'housekeeping',
  'OrgErasureRepository.deletedBefore': 'housekeeping',
  'OrgErasureRepository.noteErased': 'housekeeping',
  'OrgErasureRepository.ownedTables': 'about organisations',
  'OrgPointCountRepository.dropBefore': 'housekeeping',
  'OrgPointCountRepository.mergeBefore': 'housekeeping',
  'OrganisationCountRepository.hasSecondOrg': 'about organisations',
  'OrgRepository.endMutings': 'housekeeping',
  'OrgRepository.insert': 'about organisations',
  'OrgRepository.listAll': 'about organisations',
  'OutboxClaimingRepository.claimOfAll': 'housekeeping',
  'OutboxClaimingRepository.waitingQueuesOfAll': 'housekeeping',
  'PatternRepository.metricsWithPatterns': 'way of a point',
  'PendingPatternRepository.ready': 'housekeeping',
  'PointLogPlaceRepository.countUnread': 'housekeeping',
  'PointLogPlaceRepository.getLayout': 'housekeeping',
  'PointLogPlaceRepository.goOnAbove': 'housekeeping',
  'PointLogPlaceRepository.blockAppends': 'housekeeping',
  'PointLogPlaceRepository.positions': 'housekeeping',
  'PointLogPlaceRepository.setPlace': 'housekeeping',
  'ProgressRepository.forgetOld': 'housekeeping',
  'RegistryChangesRepository.deleteBefore': 'housekeeping',
  'RegistryChangesRepository.findSince': 'housekeeping',
  'RetentionPlansRepository.newestIdOfInstallation': 'housekeeping',
  'RetentionPlansRepository.unusualOfInstallation': 'housekeeping',
  'SeriesCopyRepository.listIdsOfInstallation': 'housekeeping',
  'SeriesCopyRepository.countOfInstallation': 'housekeeping',
  'SeriesCopyRepository.recordOfInstallation': 'housekeeping',
  'SeriesCopyRepository.totalOfInstallation': 'housekeeping',
  'SeriesCopyRepository.isDetecting': 'housekeeping',
  'SeriesHomeRepository.findHomeOfInstallation': 'housekeeping',
  'SeriesHomeRepository.saveHomeOfInstallation': 'housekeeping',
  'SeriesHomeRepository.forgetCopyOfInstallation': 'housekeeping',
  'SeriesHomeRepository.hasPointsOfInstallation': 'housekeeping',
  'SessionRepository.end': 'leads to the organisation',
  'SessionRepository.endAllOf': 'of the user who was found by a credential',
  'SessionRepository.endBeyond': 'of the user who was found by a credential',
  'SessionRepository.endPendingOf': 'of the user who was found by a credential',
  'SessionRepository.find': 'leads to the organisation',
  'SessionRepository.findClient': 'leads to the organisation',
  'SessionRepository.forget': 'housekeeping',
  'SessionRepository.forgetClientsBeyond': 'of the user who was found by a credential',
  'SessionRepository.forgetClientsOf': 'of the user who was found by a credential',
  'SessionRepository.forgetExpiredClients': 'housekeeping',
  'SessionRepository.insert': 'of the user who was found by a credential',
  'SessionRepository.listOf': 'of the user who was found by a credential',
  'SessionRepository.noteCookie': 'leads to the organisation',
  'SessionRepository.noteUse': 'housekeeping',
  'SessionRepository.rememberClient': 'of the user who was found by a credential',
  'SharedRateLimitStore.forgetExpired': 'housekeeping',
  'SharedRateLimitStore.limiter': 'leads to the organisation',
  'SsoRepository.findIdentity': 'leads to the organisation',
  'SsoRepository.forgetExpiredLogins': 'housekeeping',
  'SsoRepository.insertLogin': 'leads to the organisation',
  'SsoRepository.takeLogin': 'leads to the organisation',
  'StreamListenersRepository.noteAlive': 'housekeeping',
  'SourceClaimsRepository.countsOfAll': 'housekeeping',
  'SourceClaimsRepository.lagsOfAll': 'housekeeping',
  'StreamLogRepository.dropExpired': 'housekeeping',
  'TokenRepository.findCredential': 'leads to the organisation',
  'TokenRepository.noteUse': 'housekeeping',
  'ThresholdRepository.breached': 'way of a point',
  'ThresholdRepository.fingerprint': 'way of a point',
  'ThresholdRepository.forgetExpired': 'housekeeping',
  'ThresholdRepository.metrics': 'way of a point',
  'ThresholdRepository.orgsWaiting': 'housekeeping',
  'ThresholdRepository.watchers': 'way of a point',
  'WatcherRepository.claimNextSummary': 'housekeeping',
  'WatcherRepository.forgetDeleted': 'housekeeping',
  'WatcherRepository.listMoved': 'housekeeping',
  'WatcherStartRepository.claim': 'housekeeping',
  'UserRepository.findLogin': 'leads to the organisation',
  'UserRepository.orgOf': 'leads to the organisation',
  'TuningRepository.claimReady': 'housekeeping',
  'TuningRepository.termsIdOf': 'way of a point',
  'MetricRegistryRepository.findTerms': 'way of a point',
};

interface Method {
  name: string;
  takesOrg: boolean;
}

/** The public methods of all repositories, according to the compiler. */
function repositoryMethods(): Method[] {
  const files = readdirSync(SERVER, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.repository.ts'))
    .map((file) => join(SERVER, file));
  const config = ts.readConfigFile(join(ROOT, 'tsconfig.json'), (path) => ts.sys.readFile(path));
  const { options } = ts.parseJsonConfigFileContent(config.config, ts.sys, ROOT);
  const program = ts.createProgram(files, { ...options, noEmit: true });
  const checker = program.getTypeChecker();
  return files.flatMap((file) => {
    const source = program.getSourceFile(file);
    const classes = source?.statements.filter(ts.isClassDeclaration) ?? [];
    return classes.flatMap((declaration) =>
      declaration.members
        .filter(ts.isMethodDeclaration)
        .filter((method) => (ts.getCombinedModifierFlags(method) & ts.ModifierFlags.Private) === 0)
        .map((method) => ({
          name: `${declaration.name?.text ?? '?'}.${method.name.getText(source)}`,
          takesOrg: method.parameters.some((parameter) => takesOrg(checker, parameter)),
        })),
    );
  });
}

/** `orgId: number`, or an object (or a list of objects) with such a required member. */
function takesOrg(checker: ts.TypeChecker, parameter: ts.ParameterDeclaration): boolean {
  const name = parameter.name.getText();
  const type = checker.getTypeAtLocation(parameter);
  if (name === 'orgId') return (type.flags & ts.TypeFlags.Number) !== 0;
  const element = checker.getIndexTypeOfType(type, ts.IndexKind.Number) ?? type;
  const member = (element.flags & ts.TypeFlags.Object) === 0 ? undefined : element.getProperty('orgId');
  return member !== undefined && (member.flags & ts.SymbolFlags.Optional) === 0;
}

describe('repositories', () => {
  const methods = repositoryMethods();

  it('are found by this test', () => {
    expect(methods.length).toBeGreaterThan(50);
  });

  it('require the organisation in every method, except for those with a listed reason', () => {
    const without = methods.filter((method) => !method.takesOrg).map(({ name }) => name);
    expect(without.filter((name) => !(name in WITHOUT_ORG))).toEqual([]);
    expect(Object.keys(WITHOUT_ORG).filter((name) => !without.includes(name))).toEqual([]);
  });
});
