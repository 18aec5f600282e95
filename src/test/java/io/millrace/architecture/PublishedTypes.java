package io.millrace.architecture;

import static java.util.function.Predicate.not;

import com.tngtech.archunit.core.domain.JavaClass;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Published types of modules with inner packages. A type may be public for another package of the same module only:
 * other modules may use it only if it is listed here.
 */
final class PublishedTypes {
    private static final Map<String, Set<String>> PUBLISHED = published("""
        app.cli.remote:
        app.cli.command: ExitStatus Terminal
        engine.run.shard: RunVerticle
        engine.run.replay: HistoryComparison HistoryRequests HistoryRoutes HistoryService RedecisionEngine RehearsalService
        engine.run.replay: ReplayRoutes ReplayService
        engine.run.flowtest: FlowTestEngine FlowTestRoutes FlowTestService FlowTests
        engine.run.redecide: WalkExecutor
        engine.run.query: RunAdministrationRoutes RunEventRoutes RunMeters RunMetricsRoutes RunRoutes RunStartRoutes RunSubscription
        engine.run.waitpoint: ApprovalMailWorker ApprovalMails DelayTimer WaitpointService
        engine.run.recovery: LeaseEpochs RunHousekeeping RunHousekeepingService RunLease RunSweeper RunTakeoverService TakeoverLimits
        engine.run.retention: RunRetentionRoutes RunRetentionService
        engine.run.ending: EndedRunLog RunCancellation RunEndMeters RunEndReports RunEndings RunRetry
        engine.run.start: RunIngest RunIngestService RunStarts StartKeyService
        engine.run.program:
        engine.run.store: LogDictionaryService RunOwnership RunService StepListService
        engine.run.actor:
        engine.run.admission: ConcurrencyLimiter NodePermits PermitClaims PermitClaimService PermitExchange
        engine.run.step: BusStepServices PieceMeters ProjectPieceWorld SingleActions StepServices
        engine.run.journal: RunMemory RunProgressHub RunSlices
        engine.run.plan:
        authoring.importer: ImportRoutes ImportService
        authoring.importer.n8n: FlowImport WorkflowImport WorkflowTranslator
        authoring.importer.n8n.node:
        authoring.importer.n8n.step:
        authoring.importer.n8n.graph:
        authoring.importer.n8n.expression:
        authoring.flow.editor: ExpressionReader FlowOperation FlowStatus FlowValidator PieceFinder PiecePin PublishCheck StepProblem
        authoring.flow.warning:
        authoring.flow.version: FlowVersion Note StepChange StepTree VersionState
        authoring.flow.step: ActionStep CodeStep EmptyTrigger LoopStep PieceStep PieceTriggerStep Placement RouterStep Step
        authoring.flow.step: StepBase StepType TriggerStep
        authoring.flow.testcase: FlowTestCase FlowTestEdits FlowTestLimits PublicationTests
        authoring.flow.limit: FlowLimitRoutes FlowLimitService FlowLimits RunLimit
        authoring.flow.sample: SampleData SampleDataRoutes SampleDataService
        authoring.flow.use: FlowConnectionChanges PieceUseCount
        authoring.flow: EnabledFlows Flow FlowFolders FlowPublishRules FlowRoutes FlowService FlowState
        authoring.flow: FlowCheckService Flows ProjectFlows TemplateFlow TriggerSwitch
        authoring.flow.agent: FlowAgents
        integration.release.push: PushRoutes PushService
        integration.release: DefinitionRoutes DefinitionService GitRemovalOutbox ReleaseParts ReleaseRoutes ReleaseService
        integration.release: ReplaceRoutes ReplaceService StateFiles
        workspace.model: ModelTierRoutes PlatformCredits ProviderModels
        workspace.model.format:
        workspace.project.alert: AlertRoutes AlertService
        workspace.project: Concurrency DeletionOutbox FlowFigures GlobalConnections IconColor ManagedProject ManagedProjects NewProject
        workspace.project: OfferedPieces PiecesFilterType Project ProjectEventSubjects ProjectFilter
        workspace.project: ProjectLimits ProjectPlatformLookup ProjectRoutes ProjectService ProjectType ProjectView Projects
        workspace.project: TeamMatch
        workspace.connection: AppConnection ConnectionFilter ConnectionRoutes ConnectionScope ConnectionServices
        workspace.connection: ConnectionState ConnectionStates ConnectionUse ConnectionView Connections
        workspace.connection: FlowConnections GlobalConnectionRoutes ProjectConnections
        workspace.connection.credential: ConnectionStatus ConnectionType
        piece.builtin.table: TablesPiece
        piece.builtin.mail: SmtpPiece
        piece.builtin.schedule:
        piece.builtin.data:
        piece.builtin.date:
        piece.builtin.http: FixedResponse FormField GraphqlPiece HttpBody HttpFileName HttpPiece HttpReply MultipartBody
        piece.builtin.store:
        piece.builtin.subflow: SubflowsPiece
        piece.builtin.webhook: ChatTrigger FileFormTrigger FormTrigger FormsPiece
        piece.builtin.text:
        piece.builtin.action:
        account.identity: AccessTokens AccountOnboarding GuestList IdentityProvider OperatorAccounts
        account.identity: PersonalProjects ProjectPlatforms Session TokenService User UserView
        account.identity.signin: MailedCodeService RecoveryService SignInLimit SignInRoutes SignInService
        account.identity.user: AccountPictures Badge UserRoutes UserService Users
        account.identity.provisioning: DirectoryAccounts DirectoryPerson DirectoryUser ManagedPerson
        account.identity.provisioning: ExternalAccounts ExternalPerson
        account.identity.apikey: ApiKeyRoutes ApiKeyService
        workspace.project.member: PermissionHolders ProjectGateService ProjectPeople ProjectRole ProjectRoleRoutes
        workspace.project.member: ProjectRoleService
        authoring.table: FieldRoutes FieldService NewField NewTable RecordRoutes RecordService Table TableField
        authoring.table: TableFields TableRecord TableRecords TableRoutes TableService TableState TableStates
        authoring.table: TableSteps Tables TablesInFolders
        authoring.table.event: FlowCalls RecordEvent RecordEventService RecordEventWorker RecordListeners
        authoring.table.cell: CellValue FieldType FilterOperator RecordFilter
        base.http: ApiCall ApiReply ClientAddress ErrorRenderer Input NamedAuthority
        base.http: RequestKeys RequestWindows RouteGroup Routes SessionCookie
        base.http.socket: EventStream PolledSocket TextSocket
        base.http.body: BodyBudget BodyReception ReceivedBody UploadedFile
        base.http.document: ApiDocumentRoutes
        base.http.page: AuthorContent Html HtmlPage PageBrand PictureSources
        base.http.server: HttpVerticle SharedLimits
        base.idempotency: RequestKeyService
        base.persistence: BusService ConstraintViolation Database DatabaseNotifications DurableWrite ExpiryTime FlushMeters
        base.persistence: GroupCommit OutageRetry Paging PersistenceVerticle PollingVerticle RowBound Tx WriteInterceptor
        base.persistence.connection: DatabaseSettings JdbcConnections
        base.persistence.migration: MigrationIndex Migrations
        base.persistence.row: RowMapper Rows Unprefixed
        base.persistence.statement: UnnestColumns UnnestStatement Values WhereClause
        base.persistence.postgres: DataDirectoryInUseException EmbeddedPostgres ExternalPostgres FileTrees LogSpool
        base.persistence.postgres: PostgresRelease PostgresStart PostgresStartException
        engine.run.log: FailedStep RecordText
        integration.mcp.tool:
        integration.mcp.protocol:
        engine.trigger: AppEventService AppSecrets DueTriggerService HookPlace HookServices RecordingHookServices
        engine.trigger: RecordRuns RunIntake TriggerHook TriggerHooks TriggerMeters TriggerPieces TriggerRoutes TriggerRules
        engine.trigger: TriggerCounts TriggerService TriggerTestService TriggerVerticle Triggers
        engine.trigger.schedule: Misfire
        engine.trigger.event: TriggerEventRoutes TriggerEventService
        piece.file: BucketKeys FileAddress FileAddresses FileMessages FileRoutes FileService FileStorage FileType
        piece.file: FileUploadRoutes FlowFiles KnowledgeBaseFiles ReleaseFiles RoleKeys S3Settings S3Storage SliceService StoredFile
        piece.file: LargeObjects S3LargeObjects UploadService
        sandbox.code.pool: CodeRunner
        sandbox.code.compiler: CodeCompiler NodeNeeds
        sandbox.code.process:
        sandbox.expression.formula:
        sandbox.expression.parser: Expression References Tokeniser
        sandbox.expression.evaluator: ScriptPattern
        sandbox.expression.syntax: SyntaxIssue
        sandbox.expression.value: ExpressionFailure ExpressionScope JsNumbers JsText Meter StepView Substrings
        sandbox.expression.value: WrittenDate
        """);

    private PublishedTypes() {}

    /** Inner packages of such modules. */
    static Set<String> packages() {
        return PUBLISHED.keySet();
    }

    /** Every published type, as its package and its name. */
    static Set<String> types() {
        return PUBLISHED.entrySet().stream()
                .flatMap(entry -> entry.getValue().stream().map(type -> entry.getKey() + "." + type))
                .collect(Collectors.toSet());
    }

    /** True if a package is outside of the module that contains the inner package. */
    static boolean crosses(String user, String inner) {
        var module = moduleOf(inner);
        return PUBLISHED.containsKey(inner) && !user.equals(module) && !user.startsWith(module + ".");
    }

    /** Reason why a class must not use another; empty if it may. */
    static Optional<String> objection(JavaClass from, JavaClass to) {
        return crosses(MainClasses.moduleOf(from), MainClasses.moduleOf(to))
                        && !PUBLISHED.get(MainClasses.moduleOf(to)).contains(nameOf(to))
                ? Optional.of(to.getName() + " is public for its own module only")
                : Optional.empty();
    }

    /** Name of the outermost class. */
    static String nameOf(JavaClass type) {
        return type.getName().substring(type.getPackageName().length() + 1).split("\\$", 2)[0];
    }

    /** A module is an area and a word; the rest is an inner package. */
    private static String moduleOf(String inner) {
        return Arrays.stream(inner.split("\\.", -1)).limit(2).collect(Collectors.joining("."));
    }

    private static Map<String, Set<String>> published(String lines) {
        return lines.lines()
                .map(line -> line.split(":", 2))
                .collect(Collectors.groupingBy(
                        line -> line[0],
                        Collectors.flatMapping(
                                line -> Arrays.stream(line[1].split(" ", -1)).filter(not(String::isEmpty)),
                                Collectors.toSet())));
    }
}
