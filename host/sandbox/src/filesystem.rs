//! A wrapper of `wasi:filesystem`: every call is forwarded to wasmtime-wasi, and every refusal is counted with its
//! operation and guest path.
//!
//! Adds three restrictions: only regular files and directories are opened (a FIFO would block the host past any
//! deadline), and the bytes written and the files created by a call are limited.

use wasmtime::component::{HasData, Resource};
use wasmtime_wasi::filesystem::{Descriptor, WasiFilesystemCtxView, WasiFilesystemView};
use wasmtime_wasi::p2::bindings::filesystem::preopens;
use wasmtime_wasi::p2::bindings::filesystem::types::ErrorCode as Code;
use wasmtime_wasi::p2::bindings::sync::filesystem::types::{
    Advice, DescriptorFlags, DescriptorStat, DescriptorType, DirectoryEntry, DirectoryEntryStream,
    ErrorCode, Filesize, Host, HostDescriptor, HostDirectoryEntryStream, MetadataHashValue,
    NewTimestamp, OpenFlags, PathFlags,
};
use wasmtime_wasi::p2::bindings::sync::io::streams::{Error, InputStream, OutputStream};
use wasmtime_wasi::p2::{DynOutputStream, FsError, FsResult};

use crate::state::{HostState, KnownPath};
use crate::streams::BudgetedStream;

/// Links the wrapper below.
pub(crate) struct CountedFilesystem;

impl HasData for CountedFilesystem {
    type Data<'a> = &'a mut HostState;
}

impl HostState {
    fn inner(&mut self) -> WasiFilesystemCtxView<'_> {
        self.filesystem()
    }

    fn known(&self, descriptor: &Resource<Descriptor>) -> KnownPath {
        self.paths
            .get(&descriptor.rep())
            .cloned()
            .unwrap_or(KnownPath {
                path: "?".to_owned(),
                ungranted: false,
            })
    }

    fn joined(&self, descriptor: &Resource<Descriptor>, path: &str) -> KnownPath {
        let mut known = self.known(descriptor);
        if !known.path.ends_with('/') {
            known.path.push('/');
        }
        known.path.push_str(path);
        known
    }

    /// Returns a result unchanged, and records it if it is a refusal.
    fn counted<T>(&mut self, operation: &str, at: &KnownPath, result: FsResult<T>) -> FsResult<T> {
        if let Err(error) = &result
            && let Some(code) = error.downcast_ref()
            && is_refusal(code, at)
        {
            self.deny(operation, &at.path);
        }
        result
    }

    fn refused<T>(&mut self, operation: &str, at: &KnownPath) -> FsResult<T> {
        self.deny(operation, &at.path);
        Err(Code::NotPermitted.into())
    }

    /// Counts one created file against the call's limit.
    fn make_one(&mut self) -> FsResult<()> {
        self.created += 1;
        if self.created > self.limits.draft_files {
            let over = self
                .meter
                .refuse("draft_files", self.limits.draft_files, self.created);
            return Err(FsError::trap(over));
        }
        Ok(())
    }

    /// Counts written bytes against the call's limit.
    fn write_some(&mut self, bytes: u64) -> FsResult<()> {
        self.write_budget.take(bytes).map_err(FsError::trap)
    }

    fn budgeted(
        &mut self,
        stream: Resource<DynOutputStream>,
    ) -> FsResult<Resource<DynOutputStream>> {
        let inner = self.table.delete(stream)?;
        let stream: DynOutputStream = Box::new(BudgetedStream {
            inner,
            budget: self.write_budget.clone(),
        });
        Ok(self.table.push(stream)?)
    }
}

fn is_refusal(code: &Code, at: &KnownPath) -> bool {
    at.ungranted
        || matches!(
            code,
            Code::Access | Code::NotPermitted | Code::ReadOnly | Code::CrossDevice | Code::Loop
        )
}

fn borrowed(descriptor: &Resource<Descriptor>) -> Resource<Descriptor> {
    Resource::new_borrow(descriptor.rep())
}

impl preopens::Host for HostState {
    fn get_directories(&mut self) -> wasmtime::Result<Vec<(Resource<Descriptor>, String)>> {
        let directories = preopens::Host::get_directories(&mut self.inner())?;
        for (descriptor, path) in &directories {
            let known = KnownPath {
                path: path.clone(),
                ungranted: path == "/",
            };
            self.paths.insert(descriptor.rep(), known);
        }
        Ok(directories)
    }
}

impl Host for HostState {
    fn convert_error_code(&mut self, error: FsError) -> wasmtime::Result<ErrorCode> {
        Host::convert_error_code(&mut self.inner(), error)
    }

    fn filesystem_error_code(
        &mut self,
        error: Resource<Error>,
    ) -> wasmtime::Result<Option<ErrorCode>> {
        Host::filesystem_error_code(&mut self.inner(), error)
    }
}

impl HostDescriptor for HostState {
    fn open_at(
        &mut self,
        descriptor: Resource<Descriptor>,
        path_flags: PathFlags,
        path: String,
        open_flags: OpenFlags,
        flags: DescriptorFlags,
    ) -> FsResult<Resource<Descriptor>> {
        let at = self.joined(&descriptor, &path);
        let found = HostDescriptor::stat_at(
            &mut self.inner(),
            borrowed(&descriptor),
            path_flags,
            path.clone(),
        );
        match found {
            Ok(stat) => {
                let plain = matches!(
                    stat.type_,
                    DescriptorType::RegularFile
                        | DescriptorType::Directory
                        | DescriptorType::SymbolicLink
                );
                if !plain {
                    return self.refused("open-at", &at);
                }
            }
            Err(_) if open_flags.contains(OpenFlags::CREATE) => self.make_one()?,
            Err(_) => {}
        }
        let opened = HostDescriptor::open_at(
            &mut self.inner(),
            descriptor,
            path_flags,
            path,
            open_flags,
            flags,
        );
        let opened = self.counted("open-at", &at, opened)?;
        self.paths.insert(opened.rep(), at);
        Ok(opened)
    }

    fn drop(&mut self, descriptor: Resource<Descriptor>) -> wasmtime::Result<()> {
        self.paths.remove(&descriptor.rep());
        HostDescriptor::drop(&mut self.inner(), descriptor)
    }

    fn write(
        &mut self,
        descriptor: Resource<Descriptor>,
        buffer: Vec<u8>,
        offset: Filesize,
    ) -> FsResult<Filesize> {
        self.write_some(buffer.len() as u64)?;
        let at = self.known(&descriptor);
        let result = HostDescriptor::write(&mut self.inner(), descriptor, buffer, offset);
        self.counted("write", &at, result)
    }

    fn write_via_stream(
        &mut self,
        descriptor: Resource<Descriptor>,
        offset: Filesize,
    ) -> FsResult<Resource<OutputStream>> {
        let at = self.known(&descriptor);
        let result = HostDescriptor::write_via_stream(&mut self.inner(), descriptor, offset);
        let stream = self.counted("write-via-stream", &at, result)?;
        self.budgeted(stream)
    }

    fn append_via_stream(
        &mut self,
        descriptor: Resource<Descriptor>,
    ) -> FsResult<Resource<OutputStream>> {
        let at = self.known(&descriptor);
        let result = HostDescriptor::append_via_stream(&mut self.inner(), descriptor);
        let stream = self.counted("append-via-stream", &at, result)?;
        self.budgeted(stream)
    }

    fn set_size(&mut self, descriptor: Resource<Descriptor>, size: Filesize) -> FsResult<()> {
        self.write_some(size)?;
        let at = self.known(&descriptor);
        let result = HostDescriptor::set_size(&mut self.inner(), descriptor, size);
        self.counted("set-size", &at, result)
    }

    fn create_directory_at(
        &mut self,
        descriptor: Resource<Descriptor>,
        path: String,
    ) -> FsResult<()> {
        self.make_one()?;
        let at = self.joined(&descriptor, &path);
        let result = HostDescriptor::create_directory_at(&mut self.inner(), descriptor, path);
        self.counted("create-directory-at", &at, result)
    }

    fn symlink_at(
        &mut self,
        descriptor: Resource<Descriptor>,
        target: String,
        path: String,
    ) -> FsResult<()> {
        self.make_one()?;
        let at = self.joined(&descriptor, &path);
        let result = HostDescriptor::symlink_at(&mut self.inner(), descriptor, target, path);
        self.counted("symlink-at", &at, result)
    }

    fn link_at(
        &mut self,
        descriptor: Resource<Descriptor>,
        flags: PathFlags,
        path: String,
        new_descriptor: Resource<Descriptor>,
        new_path: String,
    ) -> FsResult<()> {
        self.make_one()?;
        let at = self.joined(&new_descriptor, &new_path);
        let result = HostDescriptor::link_at(
            &mut self.inner(),
            descriptor,
            flags,
            path,
            new_descriptor,
            new_path,
        );
        self.counted("link-at", &at, result)
    }

    fn rename_at(
        &mut self,
        descriptor: Resource<Descriptor>,
        path: String,
        new_descriptor: Resource<Descriptor>,
        new_path: String,
    ) -> FsResult<()> {
        let at = self.joined(&new_descriptor, &new_path);
        let result = HostDescriptor::rename_at(
            &mut self.inner(),
            descriptor,
            path,
            new_descriptor,
            new_path,
        );
        self.counted("rename-at", &at, result)
    }

    fn is_same_object(
        &mut self,
        left: Resource<Descriptor>,
        right: Resource<Descriptor>,
    ) -> wasmtime::Result<bool> {
        HostDescriptor::is_same_object(&mut self.inner(), left, right)
    }

    fn advise(
        &mut self,
        descriptor: Resource<Descriptor>,
        offset: Filesize,
        length: Filesize,
        advice: Advice,
    ) -> FsResult<()> {
        let at = self.known(&descriptor);
        let result = HostDescriptor::advise(&mut self.inner(), descriptor, offset, length, advice);
        self.counted("advise", &at, result)
    }

    fn sync_data(&mut self, descriptor: Resource<Descriptor>) -> FsResult<()> {
        let at = self.known(&descriptor);
        let result = HostDescriptor::sync_data(&mut self.inner(), descriptor);
        self.counted("sync-data", &at, result)
    }

    fn get_flags(&mut self, descriptor: Resource<Descriptor>) -> FsResult<DescriptorFlags> {
        let at = self.known(&descriptor);
        let result = HostDescriptor::get_flags(&mut self.inner(), descriptor);
        self.counted("get-flags", &at, result)
    }

    fn get_type(&mut self, descriptor: Resource<Descriptor>) -> FsResult<DescriptorType> {
        let at = self.known(&descriptor);
        let result = HostDescriptor::get_type(&mut self.inner(), descriptor);
        self.counted("get-type", &at, result)
    }

    fn set_times(
        &mut self,
        descriptor: Resource<Descriptor>,
        access: NewTimestamp,
        modification: NewTimestamp,
    ) -> FsResult<()> {
        let at = self.known(&descriptor);
        let result = HostDescriptor::set_times(&mut self.inner(), descriptor, access, modification);
        self.counted("set-times", &at, result)
    }

    fn read(
        &mut self,
        descriptor: Resource<Descriptor>,
        length: Filesize,
        offset: Filesize,
    ) -> FsResult<(Vec<u8>, bool)> {
        let at = self.known(&descriptor);
        let result = HostDescriptor::read(&mut self.inner(), descriptor, length, offset);
        self.counted("read", &at, result)
    }

    fn read_directory(
        &mut self,
        descriptor: Resource<Descriptor>,
    ) -> FsResult<Resource<DirectoryEntryStream>> {
        let at = self.known(&descriptor);
        let result = HostDescriptor::read_directory(&mut self.inner(), descriptor);
        self.counted("read-directory", &at, result)
    }

    fn sync(&mut self, descriptor: Resource<Descriptor>) -> FsResult<()> {
        let at = self.known(&descriptor);
        let result = HostDescriptor::sync(&mut self.inner(), descriptor);
        self.counted("sync", &at, result)
    }

    fn stat(&mut self, descriptor: Resource<Descriptor>) -> FsResult<DescriptorStat> {
        let at = self.known(&descriptor);
        let result = HostDescriptor::stat(&mut self.inner(), descriptor);
        self.counted("stat", &at, result)
    }

    fn stat_at(
        &mut self,
        descriptor: Resource<Descriptor>,
        flags: PathFlags,
        path: String,
    ) -> FsResult<DescriptorStat> {
        let at = self.joined(&descriptor, &path);
        let result = HostDescriptor::stat_at(&mut self.inner(), descriptor, flags, path);
        self.counted("stat-at", &at, result)
    }

    fn set_times_at(
        &mut self,
        descriptor: Resource<Descriptor>,
        flags: PathFlags,
        path: String,
        access: NewTimestamp,
        modification: NewTimestamp,
    ) -> FsResult<()> {
        let at = self.joined(&descriptor, &path);
        let result = HostDescriptor::set_times_at(
            &mut self.inner(),
            descriptor,
            flags,
            path,
            access,
            modification,
        );
        self.counted("set-times-at", &at, result)
    }

    fn readlink_at(&mut self, descriptor: Resource<Descriptor>, path: String) -> FsResult<String> {
        let at = self.joined(&descriptor, &path);
        let result = HostDescriptor::readlink_at(&mut self.inner(), descriptor, path);
        self.counted("readlink-at", &at, result)
    }

    fn remove_directory_at(
        &mut self,
        descriptor: Resource<Descriptor>,
        path: String,
    ) -> FsResult<()> {
        let at = self.joined(&descriptor, &path);
        let result = HostDescriptor::remove_directory_at(&mut self.inner(), descriptor, path);
        self.counted("remove-directory-at", &at, result)
    }

    fn unlink_file_at(&mut self, descriptor: Resource<Descriptor>, path: String) -> FsResult<()> {
        let at = self.joined(&descriptor, &path);
        let result = HostDescriptor::unlink_file_at(&mut self.inner(), descriptor, path);
        self.counted("unlink-file-at", &at, result)
    }

    fn read_via_stream(
        &mut self,
        descriptor: Resource<Descriptor>,
        offset: Filesize,
    ) -> FsResult<Resource<InputStream>> {
        let at = self.known(&descriptor);
        let result = HostDescriptor::read_via_stream(&mut self.inner(), descriptor, offset);
        self.counted("read-via-stream", &at, result)
    }

    fn metadata_hash(&mut self, descriptor: Resource<Descriptor>) -> FsResult<MetadataHashValue> {
        let at = self.known(&descriptor);
        let result = HostDescriptor::metadata_hash(&mut self.inner(), descriptor);
        self.counted("metadata-hash", &at, result)
    }

    fn metadata_hash_at(
        &mut self,
        descriptor: Resource<Descriptor>,
        flags: PathFlags,
        path: String,
    ) -> FsResult<MetadataHashValue> {
        let at = self.joined(&descriptor, &path);
        let result = HostDescriptor::metadata_hash_at(&mut self.inner(), descriptor, flags, path);
        self.counted("metadata-hash-at", &at, result)
    }
}

impl HostDirectoryEntryStream for HostState {
    fn read_directory_entry(
        &mut self,
        stream: Resource<DirectoryEntryStream>,
    ) -> FsResult<Option<DirectoryEntry>> {
        HostDirectoryEntryStream::read_directory_entry(&mut self.inner(), stream)
    }

    fn drop(&mut self, stream: Resource<DirectoryEntryStream>) -> wasmtime::Result<()> {
        HostDirectoryEntryStream::drop(&mut self.inner(), stream)
    }
}
