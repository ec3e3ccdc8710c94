//! Names of tools, languages and formats: those that look like ordinary words, and groups of alternatives. A missing
//! name only weighs less, or is not known to exclude another.

/// Names written like ordinary words.
pub(super) const TOOLS: &str = "airflow alembic angular ansible antd apache arduino argo argocd astro aws axios axum azure \
    babel bash bazel biome black buck bun bundler capybara cargo cassandra ccache celery chai \
    circleci clang clap clickhouse clippy cmake cocoapods composer conan conda consul couchdb \
    cron css cucumber curl cypress dagger dart datadog dbt deno detekt diesel django docker \
    docusaurus drizzle duckdb dynamodb elasticsearch electron elixir elm ember envoy enzyme \
    erlang esbuild eslint esp32 express fastapi fastify fastlane figma firebase flake8 flask \
    flutter flux flyway freertos gcc gcp gdb gin git github gitlab golang gorm gradle grafana \
    graphql grpc gson gulp gunicorn hadoop haskell helm heroku hibernate homebrew html httpx \
    husky hyper hypothesis insta isort istio jackson jasmine java javascript jdbc jenkins jest \
    jinja jooq js json jsx junit jwt k6 k8s kafka karma keycloak knex kotlin ktlint lambda \
    laravel lerna less linux liquibase lld lldb locust lodash logback lua luxon make markdown \
    maven memcached mercurial meson minio mkdocs mobx mocha mockito modbus mold moment mongo \
    mqtt msbuild mypy mysql nats neovim nest nestjs netlify nextest nextjs nginx ninja nix node \
    nodejs nomad npm nuget numpy nuxt nx oauth okhttp openapi openocd opentelemetry oracle \
    pandas parcel parquet passport pdm perl phoenix php pip pipenv platformio playwright plpgsql \
    pnpm podman poetry polars postcss postgres preact prettier prisma prometheus protobuf \
    protractor pulumi puppeteer py pydantic pylint pyright pytest pytorch qt rabbitmq rails rake \
    react redis redux remix requests reqwest retrofit rollup rspec rubocop ruby ruff rust \
    rustfmt rxjs s3 sass scala sccache scons scss selenium sentry sequelize serde shellcheck \
    sinatra smol snowflake spark spinnaker spring sqlalchemy sqlite sqlx storybook stripe svelte \
    svn swc swift swiftlint swr systemd tailwind tauri tensorflow terragrunt testcontainers tf \
    thrift tokio toml traefik travis trpc ts tslint turbo turborepo typeorm unittest uv uvicorn \
    vagrant valkey vault vercel vim vite vitest vue wasm webpack websocket websockets wheel \
    winston xcode xml yaml yarn zephyr zig zod zookeeper zsh zustand";

/// Groups of alternatives, one per line. A name may be in several.
pub(super) const ALTERNATIVES: &[&str] = &[
    "python golang go rust java kotlin typescript javascript ruby php scala elixir swift dart c cpp csharp zig perl lua haskell clojure bash groovy",
    "sqlite postgres mysql mariadb lmdb rocksdb leveldb redis valkey memcached mongo dynamodb cassandra cockroachdb oracle duckdb couchdb firestore sled redb etcd neo4j scylla mssql",
    "snowflake bigquery redshift clickhouse duckdb databricks synapse athena trino druid postgres",
    "redis memcached valkey dragonfly hazelcast caffeine varnish inmemory",
    "kafka rabbitmq nats sqs pubsub redis pulsar kinesis celery sidekiq bullmq mqtt zeromq activemq",
    "npm pnpm yarn bun deno",
    "pip poetry uv pipenv conda pdm rye hatch setuptools",
    "maven gradle bazel ant sbt buck",
    "make just task bazel ninja cmake meson npm xtask scons",
    "webpack vite esbuild rollup parcel turbopack rspack swc tsc babel",
    "jest vitest mocha jasmine ava karma tap",
    "playwright cypress selenium puppeteer webdriverio detox espresso appium maestro",
    "pytest unittest nose nose2 tox nox",
    "eslint biome tslint oxlint prettier dprint standard",
    "black ruff yapf autopep8 flake8 pylint isort",
    "mypy pyright pyre pytype",
    "react vue svelte angular solid preact ember htmx lit",
    "redux zustand mobx jotai recoil context pinia vuex xstate",
    "tailwind bootstrap css sass scss modules styled emotion less module stylex",
    "rest graphql grpc soap trpc thrift jsonrpc http websocket",
    "json yaml toml protobuf msgpack avro xml cbor csv parquet ini messagepack bincode",
    "docker podman kubernetes nomad systemd vm ecs lambda fargate bare heroku swarm vms cluster serverless cloudrun fly minikube k3s",
    "compose tilt skaffold garden devspace vagrant nix devcontainer",
    "helm kustomize jsonnet cdk8s",
    "terraform pulumi cloudformation cdk ansible chef puppet opentofu bicep crossplane",
    "jenkins github gitlab circleci travis buildkite drone teamcity azure bamboo actions woodpecker",
    "aws gcp azure hetzner digitalocean onprem",
    "bcrypt argon2 argon2id scrypt pbkdf2 md5 sha1 sha256 sha512",
    "jwt session cookie cookies opaque oauth saml basic passkey apikey header localstorage sessionstorage",
    "german english french spanish italian british american dutch",
    "tab spaces",
    "rebase merge squash cherry fastforward",
    "anyhow thiserror eyre snafu miette",
    "tokio smol rayon thread asyncstd threads",
    "axum actix rocket warp tide hyper",
    "flask django fastapi starlette tornado sanic",
    "express fastify koa hapi nest hono",
    "hibernate jooq jdbc jpa mybatis exposed",
    "sqlx diesel seaorm prisma drizzle typeorm sequelize knex kysely sqlalchemy tortoise gorm sqlc ent",
    "alembic flyway liquibase goose atlas dbmate",
    "room realm coredata swiftdata sqldelight grdb",
    "dagger hilt koin guice spring manual",
    "compose xml swiftui uikit flutter native views storyboard storyboards xib",
    "uuid ulid serial bigint snowflake nanoid cuid integer autoincrement sequence",
    "utc local localtime",
    "axios fetch ky got superagent requests httpx aiohttp reqwest ureq okhttp ktor retrofit urlsession alamofire volley",
    "moment dayjs luxon datefns temporal",
    "mock real fake stub inmemory testcontainer live",
    "camelcase kebab pascalcase snakecase kebabcase",
    "zod yup joi ajv valibot pydantic marshmallow attrs dataclass",
    "prometheus datadog grafana newrelic cloudwatch influxdb opentelemetry statsd",
    "elasticsearch opensearch solr meilisearch tantivy typesense lucene algolia",
    "nginx caddy traefik envoy haproxy apache",
    "gitflow trunk",
    "monorepo polyrepo multirepo submodule submodules subtree vendored",
    "glibc musl",
    "alpine debian distroless ubuntu scratch",
    "freertos zephyr baremetal embassy rtic linux mbed",
    "interrupt polling dma",
    "spark pandas polars dask duckdb flink beam",
    "airflow dagster prefect luigi cron argo temporal",
    "s3 gcs minio disk filesystem azureblob nfs r2 volume",
    "log4j logback slf4j winston pino bunyan tracing structlog loguru logrus zap zerolog slog",
    "optin optout",
    "selfhosted githubhosted managed",
    "offset cursor keyset page",
    "gzip zstd brotli lz4 snappy deflate",
    "semver calver",
    "mit apache gpl bsd agpl",
    "gtest catch2 doctest",
    "cocoapods spm carthage swiftpm",
    "vim emacs vscode neovim intellij",
    "okta auth0 keycloak cognito firebase ory",
    "stripe adyen paypal braintree",
    "sendgrid mailgun ses postmark smtp",
    "sentry bugsnag rollbar crashlytics",
    "jaeger zipkin tempo honeycomb",
    "loki splunk graylog elasticsearch",
    "pagerduty opsgenie",
    "launchdarkly unleash flagsmith",
    "cloudflare fastly cloudfront akamai",
    "vercel netlify heroku fly railway",
    "vault sops doppler dotenv",
    "celery rq dramatiq huey",
    "gunicorn uvicorn hypercorn waitress",
    "puma unicorn passenger",
    "rspec minitest",
    "sidekiq resque goodjob",
    "nunit xunit mstest",
    "serilog nlog log4net",
    "dapper efcore nhibernate",
    "moq nsubstitute fakeiteasy",
    "mockito mockk easymock",
    "gson jackson moshi",
    "rxjava coroutines",
    "rxswift combine",
    "pytorch tensorflow jax",
    "rsa ed25519 ecdsa",
    "aes chacha20",
    "tcp udp quic",
    "polling websocket sse webhook webhooks websockets",
    "mermaid plantuml graphviz",
    "markdown asciidoc restructuredtext",
    "sphinx mkdocs docusaurus",
    "bash zsh fish powershell",
    "float decimal double integer",
    "utf8 latin1 utf16",
    "rbac abac acl",
    "git mercurial svn perforce",
    "clang gcc msvc",
    "arm64 amd64 x86",
    "lru lfu fifo",
    "homebrew macports apt nix chocolatey",
    "d3 recharts chartjs echarts highcharts",
    "leaflet mapbox openlayers",
    "electron tauri",
    "lerna nx turborepo",
    "husky lefthook",
    "dependabot renovate",
    "changesets semanticrelease",
];
