//! `wasi:sockets` is linked because language runtimes import it, and refuses everything. Each attempt is counted.

use wasmtime::component::{HasData, Resource};
use wasmtime_wasi::p2::bindings::sockets::network::{
    self, ErrorCode, HostNetwork, IpAddress, IpAddressFamily, Network,
};
use wasmtime_wasi::p2::bindings::sockets::{ip_name_lookup, tcp_create_socket};
use wasmtime_wasi::p2::bindings::sync::sockets::udp_create_socket;
use wasmtime_wasi::p2::{DynPollable, SocketError, TcpSocket, UdpSocket};

use crate::state::HostState;

/// Links the three ways to a socket: without them nothing else in `wasi:sockets` can be reached.
pub(crate) struct NoSockets;

impl HasData for NoSockets {
    type Data<'a> = &'a mut HostState;
}

fn denied() -> SocketError {
    ErrorCode::AccessDenied.into()
}

impl network::Host for HostState {
    fn convert_error_code(&mut self, error: SocketError) -> wasmtime::Result<ErrorCode> {
        error.downcast()
    }

    fn network_error_code(
        &mut self,
        _error: Resource<wasmtime::Error>,
    ) -> wasmtime::Result<Option<ErrorCode>> {
        Ok(None)
    }
}

impl HostNetwork for HostState {
    fn drop(&mut self, network: Resource<Network>) -> wasmtime::Result<()> {
        self.table.delete(network)?;
        Ok(())
    }
}

impl tcp_create_socket::Host for HostState {
    fn create_tcp_socket(
        &mut self,
        _family: IpAddressFamily,
    ) -> Result<Resource<TcpSocket>, SocketError> {
        self.deny("create-tcp-socket", "network");
        Err(denied())
    }
}

impl udp_create_socket::Host for HostState {
    fn create_udp_socket(
        &mut self,
        _family: IpAddressFamily,
    ) -> Result<Resource<UdpSocket>, SocketError> {
        self.deny("create-udp-socket", "network");
        Err(denied())
    }
}

impl ip_name_lookup::Host for HostState {
    fn resolve_addresses(
        &mut self,
        _network: Resource<Network>,
        name: String,
    ) -> Result<Resource<ip_name_lookup::ResolveAddressStream>, SocketError> {
        self.deny("resolve-addresses", &name);
        Err(denied())
    }
}

/// No stream is ever returned, so none can be read.
impl ip_name_lookup::HostResolveAddressStream for HostState {
    fn resolve_next_address(
        &mut self,
        _stream: Resource<ip_name_lookup::ResolveAddressStream>,
    ) -> Result<Option<IpAddress>, SocketError> {
        Err(denied())
    }

    fn subscribe(
        &mut self,
        _stream: Resource<ip_name_lookup::ResolveAddressStream>,
    ) -> wasmtime::Result<Resource<DynPollable>> {
        Err(wasmtime::format_err!("no address stream exists"))
    }

    fn drop(
        &mut self,
        _stream: Resource<ip_name_lookup::ResolveAddressStream>,
    ) -> wasmtime::Result<()> {
        Ok(())
    }
}
